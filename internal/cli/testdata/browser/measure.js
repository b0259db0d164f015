// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Looks at the pages in the frames of the document and writes what it sees, as
// JSON, into the element "result".

const channel = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const rgba = (text) => {
  const n = (text.match(/[\d.]+/g) || []).map(Number);
  return {r: n[0], g: n[1], b: n[2], a: n.length > 3 ? n[3] : 1};
};
const luminance = (c) => 0.2126 * channel(c.r) + 0.7152 * channel(c.g) + 0.0722 * channel(c.b);
const contrast = (a, b) => {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
};
const ownText = (e) => [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data.trim()).join(' ').trim();

// behind is the area that an element stands on.
function behind(view, e) {
  for (; e; e = e.parentElement) {
    const c = rgba(view.getComputedStyle(e).backgroundColor);
    if (c.a === 1) return c;
  }
  return rgba('rgb(255, 255, 255)');
}

// shapeBehind is the last shape drawn before a text that its middle lies on.
function shapeBehind(text) {
  const t = text.getBoundingClientRect();
  const x = t.left + t.width / 2, y = t.top + t.height / 2;
  let last = null;
  for (const s of text.ownerSVGElement.querySelectorAll('rect, path')) {
    if (s.classList.contains('es-wire')) continue;
    if (!(s.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
    const b = s.getBoundingClientRect();
    if (b.left <= x && x <= b.right && b.top <= y && y <= b.bottom) last = s;
  }
  return last;
}

function drawing(view, doc, faults) {
  for (const text of doc.querySelectorAll('svg text')) {
    const shape = shapeBehind(text);
    if (!shape) { faults.push('a text outside the picture: ' + text.textContent); continue; }
    const t = text.getBoundingClientRect(), s = shape.getBoundingClientRect();
    if (t.left < s.left + 3 || t.right > s.right - 3 || t.top < s.top || t.bottom > s.bottom + 1) {
      faults.push('a text is wider than its box: ' + text.textContent);
    }
    const c = contrast(rgba(view.getComputedStyle(text).fill), rgba(view.getComputedStyle(shape).fill));
    if (c < 4.5) faults.push(`the contrast is ${c.toFixed(2)}: ${text.textContent}`);
  }
}

function look(frame) {
  const doc = frame.contentDocument, view = frame.contentWindow, faults = [];
  const width = frame.clientWidth, root = doc.documentElement;
  if (root.scrollWidth > width) faults.push(`it is ${root.scrollWidth} wide`);
  for (const d of doc.querySelectorAll('details')) d.open = true;
  for (const e of doc.body.querySelectorAll('*')) {
    if (e.closest('svg') || !ownText(e)) continue;
    const b = e.getBoundingClientRect();
    if (b.right > width + 0.5 || b.left < 0) faults.push('out of the page: ' + ownText(e));
    const c = contrast(rgba(view.getComputedStyle(e).color), behind(view, e));
    if (c < 4.5) faults.push(`the contrast is ${c.toFixed(2)}: ${ownText(e)}`);
  }
  drawing(view, doc, faults);
  for (const e of doc.querySelectorAll('script, link, img, iframe, object, embed, [src], [href], [onload], [onclick]')) {
    faults.push('something that is active or from elsewhere: ' + e.outerHTML);
  }
  return {
    name: frame.name, width, faults, dark: view.matchMedia('(prefers-color-scheme: dark)').matches,
    ground: view.getComputedStyle(doc.body).backgroundColor, texts: doc.body.innerText.trim().length,
    drawn: doc.querySelectorAll('svg text').length,
  };
}

addEventListener('load', () => {
  document.getElementById('result').textContent = JSON.stringify([...document.querySelectorAll('iframe')].map(look));
});

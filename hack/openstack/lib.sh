# shellcheck shell=bash
# SPDX-FileCopyrightText: The Espalier Authors
# SPDX-License-Identifier: Apache-2.0

# Sourced by up, down and snap. Everything that is made lies in one directory,
# $cache: tree (the unpacked packages) and run (the running servers: databases,
# logs, keys, process IDs, env, clouds.yaml).

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${ESPALIER_OPENSTACK_CACHE:-$here/../../.cache/openstack}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
tree=$cache/tree
run=$cache/run
services=(keystone neutron nova manila octavia)

say() { echo "openstack: $*" >&2; }
die() { say "$*"; exit 1; }

# use_tree: from here on Python finds the unpacked packages, and with -S no others.
# Sets print in the same order each time, so that error texts stay the same.
use_tree() {
    export PYTHONHASHSEED=0
    export PYTHONPATH=$tree/usr/lib/python3/dist-packages PYTHONWARNINGS=ignore
    LD_LIBRARY_PATH=$(echo "$tree"/usr/lib/*-linux-gnu):$(echo "$tree"/lib/*-linux-gnu)
    export LD_LIBRARY_PATH
}

# alive SERVICE: the server that we started runs still. A process ID alone
# proves nothing: it may have been given to another program since.
alive() {
    local pid
    pid=$(cat "$run/$1.pid" 2>/dev/null) || return 1
    tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -qF "serve.py $1 $run/"
}

all_alive() {
    local s
    for s in "${services[@]}"; do alive "$s" || return 1; done
}

stop_all() {
    local s
    for s in "${services[@]}"; do
        if alive "$s"; then kill "$(cat "$run/$s.pid")"; fi
    done
    for s in "${services[@]}"; do
        for _ in $(seq 100); do alive "$s" || break; sleep .05; done
        if alive "$s"; then kill -9 "$(cat "$run/$s.pid")"; fi
        rm -f "$run/$s.pid"
    done
}

#!/usr/bin/python3
# SPDX-FileCopyrightText: The Espalier Authors
# SPDX-License-Identifier: Apache-2.0
"""Seeds the empty servers, as admin.

seed.py identity KEYSTONE SERVICE=TYPE=URL...
    the catalogue, the user that the services use, and projects a and b with a
    member user of the same name and password each, strangers to one another
seed.py network KEYSTONE NEUTRON
    the external network "public" with a subnet, owned by admin
"""
import sys

import requests

DOMAIN = {'id': 'default'}


def login(keystone):
    """A session with a token of admin in project admin."""
    session = requests.Session()
    answer = session.post(keystone + '/auth/tokens', json={'auth': {
        'identity': {'methods': ['password'], 'password': {'user': {
            'name': 'admin', 'domain': DOMAIN, 'password': 'admin'}}},
        'scope': {'project': {'name': 'admin', 'domain': DOMAIN}}}})
    answer.raise_for_status()
    session.headers['X-Auth-Token'] = answer.headers['X-Subject-Token']
    return session


def create(session, base, collection, **fields):
    """POSTs one object and returns its ID."""
    answer = session.post('%s/%s' % (base, collection), json={collection[:-1]: fields})
    answer.raise_for_status()
    return answer.json()[collection[:-1]]['id']


def identity(keystone, *catalogue):
    session = login(keystone)
    roles = {r['name']: r['id'] for r in session.get(keystone + '/roles').json()['roles']}
    for name in ('service', 'load-balancer_member'):
        if name not in roles:
            roles[name] = create(session, keystone, 'roles', name=name)

    for entry in catalogue:
        name, kind, url = entry.split('=')
        service = create(session, keystone, 'services', name=name, type=kind)
        create(session, keystone, 'endpoints', service_id=service, interface='public', region_id='RegionOne', url=url)

    def user(name, project, *names):
        project = create(session, keystone, 'projects', name=project, domain_id='default')
        who = create(session, keystone, 'users', name=name, password=name, domain_id='default',
                     default_project_id=project)
        for role in names:
            session.put('%s/projects/%s/users/%s/roles/%s' % (keystone, project, who, roles[role])).raise_for_status()

    user('svc', 'service', 'admin', 'service')
    user('a', 'a', 'member', 'load-balancer_member')
    user('b', 'b', 'member', 'load-balancer_member')


def network(keystone, neutron):
    session, base = login(keystone), neutron + '/v2.0'
    public = create(session, base, 'networks', **{
        'name': 'public', 'router:external': True,
        'provider:network_type': 'flat', 'provider:physical_network': 'public'})
    create(session, base, 'subnets', name='public', network_id=public, ip_version=4,
           cidr='203.0.113.0/24', enable_dhcp=False)


if __name__ == '__main__':
    {'identity': identity, 'network': network}[sys.argv[1]](*sys.argv[2:])

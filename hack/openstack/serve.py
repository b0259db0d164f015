#!/usr/bin/python3
# SPDX-FileCopyrightText: The Espalier Authors
# SPDX-License-Identifier: Apache-2.0
"""serve.py SERVICE CONF PORT: one OpenStack API in one process, on 127.0.0.1, over sqlite.

A database file that is not there is made first (tables straight from the models:
the migrations of Neutron and Manila ALTER what sqlite cannot).  One thread:
sqlite takes one writer, and a second request then waits instead of failing
with "database is locked".
"""
import configparser
import os
import sys
import time

t0 = time.time()
svc, conf, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
here = os.path.dirname(os.path.abspath(__file__))
os.environ['OS_NOVA_DISABLE_EVENTLET_PATCHING'] = '1'
cp = configparser.RawConfigParser(strict=False)
cp.read(conf)

import sqlalchemy as sa


def create(metadata, section='database'):
    """The engine, where the tables were made just now."""
    url = cp[section]['connection']
    if os.path.exists(url[len('sqlite:///'):]):
        return None
    engine = sa.create_engine(url)
    metadata.create_all(engine)
    with engine.connect() as c:         # a reader left open must not block a writer
        c.exec_driver_sql('PRAGMA journal_mode=WAL')
    return engine


def retry_when_locked():
    """Makes "database is locked" what a deadlock is in other databases: rolled back and tried again.

    One thread serves the requests, but Neutron has green threads beside it.
    """
    from oslo_db import exception
    from oslo_db.sqlalchemy import exc_filters

    @exc_filters.filters('sqlite', sa.exc.OperationalError, r'.*database is locked')
    def locked(error, match, engine, is_disconnect):
        raise exception.DBDeadlock(error)


def keystone():
    sys.argv = ['keystone-api']
    import glob, importlib
    import keystone as pkg
    from keystone.cmd import bootstrap
    from keystone.common import fernet_utils, sql
    from keystone.server.flask.core import initialize_application
    for group in ('fernet_tokens', 'credential'):
        d = cp[group]['key_repository']
        if not os.path.exists(d + '/0'):
            os.makedirs(d, 0o700, exist_ok=True)
            fernet_utils.FernetUtils(d, 3, group).initialize_key_repository()
    base = os.path.dirname(pkg.__file__)
    for f in glob.glob(base + '/**/sql.py', recursive=True):        # every model
        if '/tests/' not in f:
            importlib.import_module('keystone.' + os.path.relpath(f, base)[:-3].replace('/', '.'))
    new = create(sql.ModelBase.metadata)
    app = initialize_application('public', config_files=[conf])
    if new:
        bootstrap.backends.load_backends = lambda: None      # loaded already
        b = bootstrap.Bootstrapper()
        b.admin_username = b.admin_password = b.project_name = b.admin_role_name = 'admin'
        b.service_name, b.service_id, b.region_id = 'keystone', None, 'RegionOne'
        b.public_url = 'http://127.0.0.1:%d/v3' % port
        b.bootstrap()
    return app


def neutron():
    from neutron.db.migration.models import head
    create(head.get_metadata())
    from neutron import server
    from neutron.server.api_eventlet import eventlet_api_server      # a name only: no eventlet in it
    return server.boot_server(eventlet_api_server)


def nova():
    import datetime
    from nova.db.api import models as api
    from nova.db.main import models as main
    cell = create(main.BASE.metadata)
    e = create(api.BASE.metadata, 'api_database')
    if e:                   # one cell, and one "compute host" per availability zone
        zones, now = ['zone-a', 'zone-b'], datetime.datetime.utcnow()
        with e.begin() as c:
            c.execute(api.CellMapping.__table__.insert(), dict(
                uuid='00000000-0000-0000-0000-000000000000', name='cell0', disabled=False,
                transport_url='none:///', database_connection=cp['database']['connection']))
            for i, z in enumerate(zones, 1):
                c.execute(api.Aggregate.__table__.insert(), dict(id=i, name=z, uuid='00000000-0000-0000-0000-00000000000%d' % i))
                c.execute(api.AggregateMetadata.__table__.insert(), dict(aggregate_id=i, key='availability_zone', value=z))
                c.execute(api.AggregateHost.__table__.insert(), dict(aggregate_id=i, host='host-' + z))
        from nova.objects.service import SERVICE_VERSION
        with cell.begin() as c:
            for i, z in enumerate(zones, 1):
                c.execute(main.Service.__table__.insert(), dict(
                    uuid='00000000-0000-0000-0000-00000000001%d' % i, host='host-' + z, binary='nova-compute',
                    topic='compute', report_count=1, disabled=False, deleted=0, forced_down=False,
                    version=SERVICE_VERSION, created_at=now, last_seen_up=now))
    sys.argv = ['nova-api']
    os.environ['OS_NOVA_CONFIG_DIR'] = '/'
    os.environ['OS_NOVA_CONFIG_FILES'] = here + '/paste/nova.ini;' + conf
    from nova.api.openstack.compute.wsgi import init_application
    return init_application()


def manila():
    from manila.db.sqlalchemy import models
    create(models.BASE.metadata)
    from manila.wsgi.wsgi import initialize_application
    return initialize_application()


def octavia():
    sys.path.insert(0, here)
    import octavia_worker
    return octavia_worker.app(create)


retry_when_locked()
sys.argv = [svc + '-api', '--config-file', conf]
app = globals()[svc]()

if __name__ == '__main__':
    import signal
    import waitress
    signal.signal(signal.SIGTERM, lambda *a: os._exit(0))       # neutron and oslo.service put their own there
    server = waitress.create_server(app, host='127.0.0.1', port=port, threads=1, ident=None)
    print('%s: listening after %.1f s' % (svc, time.time() - t0), flush=True)      # up waits for this line
    import gc
    gc.collect()
    gc.freeze()         # what is loaded stays: the collector need not look at it with every call
    server.run()

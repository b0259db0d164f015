# SPDX-FileCopyrightText: The Espalier Authors
# SPDX-License-Identifier: Apache-2.0
"""octavia-api with a provider that has no amphorae: the API and the VIP ports in Neutron are real;
a thread plays the worker, and moves PENDING_* on after OCTAVIA_DELAY seconds (0.1),
but nothing while the file OCTAVIA_HOLD is there."""
import os
import threading
import time
import traceback

import sqlalchemy as sa


def seed(engine):
    from octavia.common import constants as oc
    from octavia.db import models as m
    from octavia_lib.common import constants as lc
    def const(n): return getattr(oc, n, None) or getattr(lc, n)
    with sa.orm.Session(engine) as s:
        for names, model in ((
                ('SUPPORTED_PROVISIONING_STATUSES', m.ProvisioningStatus), ('SUPPORTED_HEALTH_MONITOR_TYPES', m.HealthMonitorType),
                ('SUPPORTED_LB_ALGORITHMS', m.Algorithm), ('SUPPORTED_PROTOCOLS', m.Protocol),
                ('SUPPORTED_OPERATING_STATUSES', m.OperatingStatus), ('SUPPORTED_SP_TYPES', m.SessionPersistenceType),
                ('SUPPORTED_AMPHORA_ROLES', m.AmphoraRoles), ('SUPPORTED_LB_TOPOLOGIES', m.LBTopology),
                ('SUPPORTED_VRRP_AUTH', m.VRRPAuthMethod), ('SUPPORTED_L7RULE_TYPES', m.L7RuleType),
                ('SUPPORTED_L7RULE_COMPARE_TYPES', m.L7RuleCompareType), ('SUPPORTED_L7POLICY_ACTIONS', m.L7PolicyAction),
                ('SUPPORTED_CLIENT_AUTH_MODES', m.ClientAuthenticationMode))):
            for n in const(names):
                s.add(model(name=n))
        s.commit()


def worker(url, delay, hold):
    from octavia.common import utils
    from octavia.db import api as db_api, repositories as repo
    lbs = repo.LoadBalancerRepository()
    children = ('l7rule', 'l7policy', 'health_monitor', 'member', 'listener', 'pool')
    engine = sa.create_engine(url, connect_args={'timeout': 30})
    while True:
        time.sleep(delay)
        if os.path.exists(hold):
            continue
        try:
            with engine.connect() as c:
                busy = c.exec_driver_sql("SELECT id, provisioning_status FROM load_balancer WHERE provisioning_status LIKE 'PENDING%%'").fetchall()
            if not busy:
                continue
            for lb, status in busy:
                if status == 'PENDING_DELETE':
                    db_lb = lbs.get(db_api.get_session(), id=lb)
                    utils.get_network_driver().deallocate_vip(db_lb.vip)
            with engine.begin() as c:
                for t in children:
                    c.exec_driver_sql("DELETE FROM %s WHERE provisioning_status = 'PENDING_DELETE'" % t)
                    c.exec_driver_sql("UPDATE %s SET provisioning_status='ACTIVE', operating_status='ONLINE' WHERE provisioning_status LIKE 'PENDING%%'" % t)
                for lb, status in busy:
                    new = ('DELETED', 'OFFLINE') if status == 'PENDING_DELETE' else ('ACTIVE', 'ONLINE')
                    c.exec_driver_sql("UPDATE load_balancer SET provisioning_status=?, operating_status=? WHERE id=?", new + (lb,))
                    if status == 'PENDING_DELETE':      # delete with cascade
                        c.exec_driver_sql("DELETE FROM listener WHERE load_balancer_id=?", (lb,))
                        c.exec_driver_sql("DELETE FROM member WHERE pool_id IN (SELECT id FROM pool WHERE load_balancer_id=?)", (lb,))
                        c.exec_driver_sql("DELETE FROM pool WHERE load_balancer_id=?", (lb,))
        except Exception:
            traceback.print_exc()


def app(create):
    from octavia.api import app as api
    from octavia.api.drivers import driver_factory
    from octavia.api.drivers.noop_driver import driver as noop
    from octavia.db import base_models, models  # noqa
    new = create(base_models.BASE.metadata)
    if new:
        seed(new)

    class Driver(noop.NoopProviderDriver):
        def create_vip_port(self, *a):
            raise NotImplementedError       # octavia-api then makes the port in Neutron itself

    def get_driver(provider):
        d = Driver()
        d.name = 'amphora'
        return d
    driver_factory.get_driver = get_driver
    a = api.setup_app()
    from oslo_config import cfg
    threading.Thread(target=worker, daemon=True, args=(
        cfg.CONF.database.connection, float(os.environ.get('OCTAVIA_DELAY', '0.1')), os.environ.get('OCTAVIA_HOLD', ''))).start()
    return a

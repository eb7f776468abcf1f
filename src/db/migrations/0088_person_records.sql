-- Records of people: what each source reports, kept apart by its anchor, and whose each one is.
CREATE TABLE person_records (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  anchor_kind text NOT NULL CHECK (anchor_kind IN ('EXTERNAL_ID', 'SCIM_ID', 'EMPLOYEE_ID', 'ADDRESS')),
  anchor text COLLATE "C" NOT NULL CHECK (anchor <> ''),
  -- Null while it is disputed whose it is, and where it is ignored.
  user_id text COLLATE "C",
  state text NOT NULL DEFAULT 'LIVE' CHECK (state IN ('LIVE', 'GONE')),
  -- The pushed user that it came with; '' for others. One of a source at a time.
  scim_id text COLLATE "C" NOT NULL DEFAULT '',
  -- Whether the source may change the person: an identity provider only whom it made or was given.
  is_heard boolean NOT NULL DEFAULT true,
  email text NOT NULL DEFAULT '',
  email_key text COLLATE "C" NOT NULL DEFAULT '',
  display_name text NOT NULL DEFAULT '',
  username text NOT NULL DEFAULT '',
  username_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower(username)) STORED,
  employee_id text COLLATE "C" NOT NULL DEFAULT '',
  -- ACTIVE or TERMINATED, of sources of people; '' of others.
  employment_status text NOT NULL DEFAULT '',
  -- Null where the source never said, and others know the person.
  is_enabled boolean,
  first_seen_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  gone_at timestamptz,
  verdict text NOT NULL DEFAULT 'CLEAR' CHECK (verdict IN ('CLEAR', 'DISPUTED', 'SAME_PERSON', 'NEW_PERSON', 'IGNORED')),
  reason text NOT NULL DEFAULT '' CHECK (reason IN ('', 'SEVERAL_PEOPLE', 'ADDRESS_OF_ANOTHER', 'OTHER_ID', 'OTHER_NAME')),
  candidate_ids text[] COLLATE "C" NOT NULL DEFAULT '{}',
  disputed_at timestamptz,
  answered_at timestamptz,
  answered_by_id text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, id),
  CHECK ((user_id IS NULL) = (verdict IN ('DISPUTED', 'IGNORED')))
);
CREATE UNIQUE INDEX person_records_by_anchor ON person_records (tenant_id, source_id, anchor_kind, anchor);
CREATE UNIQUE INDEX person_records_by_scim_id ON person_records (tenant_id, source_id, scim_id) WHERE scim_id <> '';
CREATE INDEX person_records_by_user ON person_records (tenant_id, user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX person_records_by_employee_id ON person_records (tenant_id, employee_id) WHERE employee_id <> '' AND state = 'LIVE';
CREATE INDEX person_records_disputed ON person_records (tenant_id, id) WHERE verdict = 'DISPUTED' AND state = 'LIVE';
SELECT guard_tenant_table('person_records');

-- Records of those who stand already. A source of people that told of somebody last reports them still; who was told of by another source since is
-- found by the next file.
ALTER TABLE users NO FORCE ROW LEVEL SECURITY;
ALTER TABLE sources NO FORCE ROW LEVEL SECURITY;
ALTER TABLE scim_resources NO FORCE ROW LEVEL SECURITY;
ALTER TABLE person_sources NO FORCE ROW LEVEL SECURITY;
ALTER TABLE person_records NO FORCE ROW LEVEL SECURITY;
INSERT INTO person_records (tenant_id, id, source_id, anchor_kind, anchor, user_id, state, scim_id, is_heard, email, email_key, display_name, username,
    employee_id, is_enabled, first_seen_at, changed_at, gone_at)
  SELECT DISTINCT ON (r.tenant_id, r.source_id, anchor_kind, anchor) r.tenant_id, r.id, r.source_id,
    a.anchor_kind, a.anchor, r.user_id, CASE WHEN r.deleted_at IS NULL THEN 'LIVE' ELSE 'GONE' END,
    CASE WHEN r.deleted_at IS NULL THEN r.id ELSE '' END,
    EXISTS (SELECT FROM person_sources p WHERE p.tenant_id = r.tenant_id AND p.user_id = r.user_id AND p.source_id = r.source_id),
    u.email, u.email_key, u.display_name, coalesce(r.document ->> 'userName', ''),
    coalesce(r.document #>> '{urn:ietf:params:scim:schemas:extension:enterprise:2.0:User,employeeNumber}', ''), r.is_active,
    r.created_at, r.updated_at, r.deleted_at
  FROM scim_resources r
  JOIN users u ON u.tenant_id = r.tenant_id AND u.id = r.user_id
  CROSS JOIN LATERAL (SELECT CASE WHEN r.external_id <> '' THEN 'EXTERNAL_ID' ELSE 'SCIM_ID' END AS anchor_kind,
    CASE WHEN r.external_id <> '' THEN r.external_id ELSE r.id END AS anchor) a
  WHERE r.kind = 'USER'
  ORDER BY r.tenant_id, r.source_id, a.anchor_kind, a.anchor, r.deleted_at DESC NULLS FIRST, r.id DESC;
INSERT INTO person_records (tenant_id, id, source_id, anchor_kind, anchor, user_id, email, email_key, display_name, username, employee_id,
    employment_status, is_enabled, first_seen_at, changed_at)
  SELECT DISTINCT ON (u.tenant_id, u.source, anchor_kind, anchor) u.tenant_id, u.id, u.source, a.anchor_kind, a.anchor, u.id, u.email, u.email_key,
    u.display_name, u.username, u.employee_id, u.employment_status, u.status = 'ENABLED', u.created_at, u.updated_at
  FROM users u
  JOIN sources s ON s.tenant_id = u.tenant_id AND s.id = u.source AND s.kind <> 'SCIM'
  CROSS JOIN LATERAL (SELECT CASE WHEN u.employee_id <> '' THEN 'EMPLOYEE_ID' ELSE 'ADDRESS' END AS anchor_kind,
    CASE WHEN u.employee_id <> '' THEN u.employee_id ELSE u.email_key END AS anchor) a
  WHERE u.user_type = 'HUMAN' AND a.anchor <> ''
  ORDER BY u.tenant_id, u.source, a.anchor_kind, a.anchor, (u.status = 'ENABLED') DESC, u.id;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
ALTER TABLE sources FORCE ROW LEVEL SECURITY;
ALTER TABLE scim_resources FORCE ROW LEVEL SECURITY;
ALTER TABLE person_sources FORCE ROW LEVEL SECURITY;
ALTER TABLE person_records FORCE ROW LEVEL SECURITY;

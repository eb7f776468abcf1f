-- Delegates see and decide tasks only where the step allows delegation. They always could before: the starting policies of tenants and the routes
-- of the reviews that are there allow it, so that nobody who decides for somebody now is shut out.
CREATE FUNCTION with_delegation(steps jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_agg(CASE WHEN s.step ? 'approval' THEN jsonb_set(s.step, '{approval,allowDelegation}', 'true') ELSE s.step END ORDER BY s.n), '[]')
  FROM jsonb_array_elements(steps) WITH ORDINALITY AS s (step, n) $$;

DO $$
BEGIN
  -- Forced row-level security shows the owner no row of any tenant.
  ALTER TABLE policies NO FORCE ROW LEVEL SECURITY;
  ALTER TABLE review_routes NO FORCE ROW LEVEL SECURITY;
  UPDATE policies SET document = jsonb_set(document, '{policySteps,certify,steps}', with_delegation(document #> '{policySteps,certify,steps}'))
    WHERE system_builtin AND jsonb_typeof(document #> '{policySteps,certify,steps}') = 'array';
  UPDATE review_routes SET document = jsonb_set(document, '{policySteps,certify,steps}', with_delegation(document #> '{policySteps,certify,steps}'))
    WHERE jsonb_typeof(document #> '{policySteps,certify,steps}') = 'array';
  ALTER TABLE policies FORCE ROW LEVEL SECURITY;
  ALTER TABLE review_routes FORCE ROW LEVEL SECURITY;
END $$;

DROP FUNCTION with_delegation(jsonb);

-- A review of inherited access asks by way of what it is held, too: of an account alone that holds an item by way of it.

ALTER TABLE review_entitlements
  -- It may pass on a chosen one, and is asked about only where it does.
  ADD is_carrier boolean NOT NULL DEFAULT false;

-- Whoever issued what a removal was asked for through, where that was not a review; empty for nobody.
ALTER TABLE revocations ADD requested_issuer_id text COLLATE "C" NOT NULL DEFAULT '';

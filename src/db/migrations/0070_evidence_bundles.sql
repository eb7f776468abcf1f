-- Evidence bundles are kept as reports are (docs/decisions/0066-evidence-bundles.md). Pieces with numbers below zero are notes of a bundle that is being
-- made, and go when it is done.
SELECT restrict_values('reports', 'format', ARRAY['CSV', 'JSON', 'XLSX', 'BUNDLE']);

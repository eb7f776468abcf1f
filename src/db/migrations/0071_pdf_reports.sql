-- A report may also be a PDF file of at most twenty pages.
SELECT restrict_values('reports', 'format', ARRAY['CSV', 'JSON', 'XLSX', 'BUNDLE', 'PDF']);

-- Reports as Excel files (docs/decisions/0060-excel-reports.md).
SELECT restrict_values('reports', 'format', ARRAY['CSV', 'JSON', 'XLSX']);

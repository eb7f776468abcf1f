/** What people call the formats of reports. */
const names: Readonly<Record<string, string>> = {
  ACCESS_REVIEW_REPORT_FORMAT_XLSX: 'Excel',
  ACCESS_REVIEW_REPORT_FORMAT_CSV: 'CSV',
  ACCESS_REVIEW_REPORT_FORMAT_JSON: 'JSON',
};

/** The name of a format. */
export function fileNameOf(format: string | number | undefined): string {
  return names[String(format)] ?? '';
}

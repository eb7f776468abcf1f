/** Account content as its history keeps it: in one form for whoever changes accounts, and whoever reads the history back. */

/** Builds the content of the alias's account, as one JSON object: the form of account_changes.before. */
export function getAccountContent(alias: string): string {
  const a = alias;
  return `jsonb_build_object('externalId', ${a}.external_id, 'userId', ${a}.user_id, 'accountType', ${a}.account_type, 'status', ${a}.status, 'displayName', ${a}.display_name,
    'email', ${a}.email, 'username', ${a}.username, 'employeeId', ${a}.employee_id, 'profile', ${a}.profile)`;
}

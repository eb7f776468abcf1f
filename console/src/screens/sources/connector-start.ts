/** Starts of a connector, in the three forms in which people run one. Pure. */

/** Ways to run a connector. */
export const forms = ['command', 'compose', 'systemd'] as const;
export type Form = (typeof forms)[number];

/** A connector and the credential it signs in with. */
export interface Start {
  /** Name of the program, such as baton-github. */
  readonly program: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const variables = ({ clientId, clientSecret }: Start): readonly (readonly [string, string])[] => [
  ['BATON_CLIENT_ID', clientId],
  ['BATON_CLIENT_SECRET', clientSecret],
  ['BATON_STORAGE_ENGINE', 'sqlite'],
];

/** Returns the text to copy; the connector's own options come to it. */
export function startText(form: Form, start: Start): string {
  const { program } = start;
  switch (form) {
    case 'command':
      return [...variables(start).map(([name, value]) => `export ${name}='${value}'`), program].join('\n');
    case 'compose':
      return [
        'services:',
        `  ${program}:`,
        `    image: ghcr.io/conductorone/${program}:latest`,
        '    restart: unless-stopped',
        '    environment:',
        ...variables(start).map(([name, value]) => `      ${name}: '${value}'`),
      ].join('\n');
    case 'systemd':
      return [
        '[Unit]',
        `Description=${program} for Countersign`,
        'Wants=network-online.target',
        'After=network-online.target',
        '',
        '[Service]',
        ...variables(start).map(([name, value]) => `Environment=${name}=${value}`),
        `ExecStart=/usr/local/bin/${program}`,
        'Restart=always',
        'DynamicUser=yes',
        '',
        '[Install]',
        'WantedBy=multi-user.target',
      ].join('\n');
  }
}

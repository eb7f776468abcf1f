/**
 * The files that others run Countersign with: the image, compose.yaml, the unit of systemd. They are read here, and held to what the program
 * knows; .ci/run also builds and runs the image where an engine of containers runs.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { serveOptions, variableName } from '../../src/config/serve-options.ts';

const clone = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(clone, path), 'utf8');

interface Service {
  readonly image: string;
  readonly command?: string[];
  readonly environment: Record<string, string>;
  readonly ports?: string[];
  readonly volumes?: string[];
  readonly read_only?: boolean;
  readonly cap_drop?: string[];
  readonly security_opt?: string[];
  readonly healthcheck?: object;
  readonly depends_on?: Record<string, { condition: string }>;
}

interface Probe {
  readonly httpGet: { readonly path: string };
}

interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly enableServiceLinks: boolean;
  readonly containers: {
    readonly args: string[];
    readonly env: { readonly name: string }[];
    readonly startupProbe: Probe;
    readonly livenessProbe: Probe;
    readonly readinessProbe: Probe;
  }[];
}

/** The instructions of a Containerfile, continued lines joined and comments left out. */
function readInstructions(text: string): { word: string; rest: string }[] {
  const lines = text.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ word: line.split(' ', 1)[0] ?? '', rest: line.slice(line.indexOf(' ') + 1).trim() }));
}

const options = serveOptions.flatMap((option) => [variableName(option.flag)]);

describe('Containerfile', () => {
  const instructions = readInstructions(read('Containerfile'));
  const all = (word: string): string[] => instructions.filter((one) => one.word === word).map(({ rest }) => rest);
  const last = instructions.slice(instructions.findLastIndex(({ word }) => word === 'FROM'));
  const lastOf = (word: string): string | undefined => last.findLast((one) => one.word === word)?.rest;

  it('has instructions that exist, and two stages', () => {
    const known = ['ARG', 'FROM', 'WORKDIR', 'COPY', 'RUN', 'LABEL', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'];
    expect(instructions.map(({ word }) => word).filter((word) => !known.includes(word))).toEqual([]);
    expect(all('FROM')).toEqual([expect.stringMatching(/^\$\{NODE_IMAGE\} AS build$/), expect.stringMatching(/^\$\{NODE_IMAGE\}$/)]);
    expect(all('ARG')).toEqual(['NODE_IMAGE=docker.io/library/node:24-bookworm-slim']);
  });

  it('copies only what is there and what .dockerignore lets through', () => {
    const passed = read('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    const copied = all('COPY')
      .filter((rest) => !rest.startsWith('--from='))
      .flatMap((rest) => rest.split(' ').slice(0, -1));
    expect(copied.filter((path) => !existsSync(join(clone, path)))).toEqual([]);
    expect([...copied].sort()).toEqual([...passed].sort());
  });

  it('runs without rights and without a shell, and says whether it is healthy', () => {
    expect(lastOf('USER')).toBe('1000:1000');
    const command = JSON.parse(lastOf('ENTRYPOINT') ?? '') as string[];
    expect(command).toEqual(['node', '/app/bin/countersign.js']);
    expect(lastOf('HEALTHCHECK')).toMatch(/ CMD \["node", "\/app\/deploy\/health\.js"\]$/);
    expect(last.findIndex(({ word }) => word === 'USER')).toBeGreaterThan(last.findLastIndex(({ word }) => word === 'RUN'));
  });
});

describe('compose.yaml', () => {
  const { services, volumes } = parse(read('compose.yaml')) as { services: Record<string, Service>; volumes: object };
  const ours = [services['migrate'], services['countersign']] as Service[];

  it('has no password by default, and stops without one', () => {
    const used = [...read('compose.yaml').matchAll(/\$\{(\w+)(:\?|:-)?/g)].map(([, name = '', rule = '']) => ({ name, rule }));
    for (const { name } of used.filter((one) => one.name.includes('PASSWORD'))) {
      expect([name, used.some((one) => one.name === name && one.rule === ':?')]).toEqual([name, true]);
    }
    expect(read('compose.yaml')).not.toMatch(/PASSWORD:-/);
    const offered = [...read('deploy/env.example').matchAll(/^(\w+)=(.*)$/gm)];
    expect(offered.map(([, , value]) => value).filter(Boolean)).toEqual([]);
    const wanted = used.filter(({ name, rule }) => rule === ':?' && !offered.some(([, one]) => one === name));
    expect(wanted).toEqual([]);
    expect(read('.gitignore')).toMatch(/^\.env$/m);
  });

  it('lets the server have the role that owns nothing, and only the migration the owner', () => {
    const [migrate, server] = ours;
    expect(migrate?.environment['COUNTERSIGN_DATABASE_OWNER_URL']).toContain('postgres://countersign_owner:');
    expect(server?.environment['COUNTERSIGN_DATABASE_URL']).toContain('postgres://countersign_app:');
    expect(server?.environment['COUNTERSIGN_DATABASE_OWNER_URL']).toBeUndefined();
    expect(migrate?.depends_on?.['database']?.condition).toBe('service_healthy');
    expect(server?.depends_on?.['migrate']?.condition).toBe('service_completed_successfully');
  });

  it('gives the program no rights, and the world nothing but a port of this machine', () => {
    for (const service of ours) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    }
    expect(Object.values(services).flatMap(({ ports = [] }) => ports)).toEqual([expect.stringMatching(/^127\.0\.0\.1:.*:8080$/)]);
    const mounted = Object.values(services)
      .flatMap((service) => service.volumes ?? [])
      .map((volume) => volume.split(':')[0] ?? '');
    expect(mounted.filter((name) => !name.startsWith('./')).sort()).toEqual(Object.keys(volumes).sort());
    expect(mounted.filter((name) => name.startsWith('./') && !existsSync(join(clone, name)))).toEqual([]);
    expect(services['database']?.healthcheck).toBeDefined();
  });

  it('sets options that the program has', () => {
    const set = ours.flatMap(({ environment }) => Object.keys(environment));
    expect(set.filter((name) => !options.includes(name))).toEqual([]);
  });
});

describe.each([
  ['deploy/countersign.service', 'countersign', 'serve'],
  ['deploy/countersign-connector@.service', 'countersign-connector', 'connector run --config /etc/countersign/%i.json'],
])('%s', (file, account, command) => {
  const unit = read(file);
  const valueIn = (key: string): string | undefined => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1];

  it('starts the installed package itself, and leaves what that starts to it', () => {
    const { name } = JSON.parse(read('package.json')) as { name: string };
    expect(valueIn('ExecStart')).toBe(`/usr/bin/node /opt/countersign/node_modules/${name}/bin/countersign.js ${command}`);
    expect([valueIn('KillMode'), valueIn('User')]).toEqual(['mixed', account]);
    const set = [...unit.matchAll(/\b(COUNTERSIGN_\w+)=/g)].map(([, variable]) => variable);
    expect(set.filter((variable) => !options.includes(variable ?? ''))).toEqual([]);
  });

  it('takes from it what it does not need', () => {
    for (const [key, value] of [
      ['NoNewPrivileges', 'yes'],
      ['CapabilityBoundingSet', ''],
      ['ProtectSystem', 'strict'],
      ['ProtectHome', 'yes'],
      ['PrivateTmp', 'yes'],
      ['SystemCallFilter', '@system-service'],
    ]) {
      expect([key, valueIn(key ?? '')]).toEqual([key, value]);
    }
  });

  it.runIf(spawnSync('systemd-analyze', ['--version']).status === 0)('is what systemd accepts', () => {
    const { stderr } = spawnSync('systemd-analyze', ['verify', join(clone, file)], { encoding: 'utf8' });
    // Node and the package need not be where the unit expects them on the machine that tests.
    expect(stderr.split('\n').filter((line) => line.includes(basename(file)) && !line.includes('is not executable'))).toEqual([]);
  });
});

describe('the StatefulSet of docs/operations.md', () => {
  const [, text = ''] = /^### Kubernetes$[\s\S]*?^```yaml\n([\s\S]*?)^```$/m.exec(read('docs/operations.md')) ?? [];
  const { spec } = parse(text) as { spec: { replicas: number; template: { spec: PodSpec } } };
  const [container] = spec.template.spec.containers;

  it('has one replica with time to stop, and no variables of services', () => {
    expect(spec.replicas).toBe(1);
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(30);
    expect(spec.template.spec.enableServiceLinks).toBe(false);
  });

  it('sets options that the program has, and asks paths that answer', () => {
    const flags = serveOptions.map(({ flag }) => `--${flag}`);
    expect(container?.args.filter((one) => one.startsWith('--') && !(flags as string[]).includes(one))).toEqual([]);
    expect(container?.env.map(({ name }) => name).filter((name) => !options.includes(name))).toEqual([]);
    const probes = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe];
    expect(probes.map((probe) => probe?.httpGet.path)).toEqual(['/healthz', '/healthz', '/readyz']);
  });
});

describe('deploy/database-roles.sh', () => {
  it('makes the roles as docs/operations.md does', () => {
    const statements = (text: string): string[] =>
      [...text.matchAll(/^CREATE (?:ROLE|DATABASE) countersign.*;$/gm)].map(([line]) => line.replace(/PASSWORD .*;/, 'PASSWORD;'));
    const made = statements(read('deploy/database-roles.sh'));
    expect(made).toHaveLength(3);
    expect(made).toEqual(statements(read('docs/operations.md')));
  });
});

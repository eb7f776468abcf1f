/**
 * The route beside the contract that serves report files to whoever holds a signed link (downloadUrl), a piece at a time. Whether the link
 * is good is decided in the reports module.
 */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../db/types.ts';
import { openReport, reportPath } from '../outward/reports/index.ts';
import { anonymousActor, type Logger, type React } from '../context.ts';

/** Needs of the route. */
export interface ReportRouteParts {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly react: React;
}

/** The header that names a file (RFC 6266): in full, and before it, for those who read no more than ASCII, as far as that goes. */
function attachment(fileName: string): string {
  const plain = fileName
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/^-+/, 'report-');
  return `attachment; filename="${plain}"${plain === fileName ? '' : `; filename*=UTF-8''${encodeURIComponent(fileName)}`}`;
}

/** Registers the route; to be passed to createServer among its `extraRoutes`. */
export function registerReportRoutes(app: FastifyInstance, parts: ReportRouteParts): void {
  app.get(`${reportPath}/:id`, async (request, reply) => {
    const { id } = request.params as { id: string };
    const query = new URLSearchParams(request.url.split('?')[1] ?? '');
    const actor = anonymousActor({ sourceIp: request.clientAddress, requestId: request.id });
    const context = {
      db: parts.database.tenant(request.tenant.id),
      tenantId: request.tenant.id,
      actor,
      now: parts.clock(),
      log: parts.log,
      react: parts.react,
    };
    const link = { reportId: id, expires: query.get('expires') ?? '', signature: query.get('signature') ?? '' };
    const file = await openReport(context, request.tenant.secret, link);
    return reply
      .headers({
        'content-type': file.contentType,
        'content-length': String(file.sizeBytes),
        'content-disposition': attachment(file.fileName),
        // RFC 9530, so that whoever downloads can check what arrived.
        'repr-digest': `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`,
      })
      .send(Readable.from(file.content, { objectMode: false }));
  });
}

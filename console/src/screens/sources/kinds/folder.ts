/** Files of a folder on the server. */
import type { FolderSettings } from '~/data/messages.ts';
import type { KindOfSource } from './kind.ts';

export const folder: KindOfSource<FolderSettings> = {
  id: 'FOLDER',
  type: 'type.googleapis.com/countersign.v1.FolderSettings',
  name: 'folder.name',
  about: 'folder.about',
  before: 'folder.before',
  people: 'setting',
  canTest: true,
  fields: [
    { name: 'pattern', control: 'line', label: 'folder.pattern', hint: 'folder.patternHint', example: 'hr/people-*.csv', isRequired: true },
    { name: 'sheet', control: 'line', label: 'folder.sheet', hint: 'folder.sheetHint', isMore: true },
    { name: 'needsManifest', control: 'tick', label: 'folder.needsManifest', hint: 'folder.needsManifestHint', isMore: true },
  ],
  systems: [
    { name: { text: 'folder.aFile' }, also: 'file csv excel xlsx export sftp rclone folder datei ordner tabelle' },
    { name: { text: 'folder.hrExport' }, also: 'hr people personal workday adp export' },
    { name: 'SAP', also: 'erp s/4hana r/3' },
    { name: { text: 'folder.mainframe' }, also: 'mainframe racf as/400 ibm i grossrechner' },
  ],
};

/** Links of Google Sheets as people copy them, and where the same table lies as CSV. Pure. */

/** Returns where the sheet that a link shows lies as CSV; undefined for what is no link of a sheet. */
export function findSheetExport(url: URL): URL | undefined {
  if (url.hostname !== 'docs.google.com') {
    return undefined;
  }
  const { published, id } = /^\/spreadsheets\/(?:u\/\d+\/)?d\/(?<published>e\/)?(?<id>[\w-]+)(?:\/|$)/.exec(url.pathname)?.groups ?? {};
  if (id === undefined) {
    return undefined;
  }
  const isPublished = published !== undefined;
  const found = new URL(`https://docs.google.com/spreadsheets/d/${isPublished ? `e/${id}/pub` : `${id}/export`}`);
  found.searchParams.set(isPublished ? 'output' : 'format', 'csv');
  const gid = url.searchParams.get('gid') ?? /[#&]gid=(\d+)/.exec(url.hash)?.[1];
  if (gid !== undefined && /^\d+$/.test(gid)) {
    found.searchParams.set('gid', gid);
    if (isPublished) {
      found.searchParams.set('single', 'true');
    }
  }
  const key = url.searchParams.get('resourcekey');
  if (key !== null) {
    found.searchParams.set('resourcekey', key);
  }
  return found;
}

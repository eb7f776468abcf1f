/**
 * The files that scripts of the console come in. A page needs few of them: the first ones, those that pages share, and its own
 * (docs/decisions/0055-files-of-the-console.md).
 */
const src = 'console/src/';

/** Words in the names of files that lists of advertising and tracking take for what they block. */
const blocked =
  /(?<![a-z])(?:ad|ads|advert\w*|banners?|analytics|track(?:er|ers|ing)?|social|pixels?|beacons?|pop-?ups?|promos?|sponsor\w*|telemetry|cookies?|consent)(?![a-z])/gi;

/** The name of a built file by that of a module, without words for which a browser with such a list would not load it. */
export function safeName(name: string): string {
  return name.replace(blocked, 'part');
}

/** The groups, each taking what those before it left. A module brings along what it needs. */
export const chunks = [
  { name: 'first', tags: ['$initial'] },
  // The table, without the parts that other pages have too: a page without a table loads none of it. Long ones get their rows when there are some.
  {
    name: 'tables',
    test: new RegExp(`${src}parts/tables/(?!pages|cell|long)|@tanstack/(?:react-table|table-core)/`),
    includeDependenciesRecursively: false,
  },
  // Parts without Base UI, and reading and changing data.
  {
    name: 'parts',
    test: new RegExp(
      `${src}(?:parts/(?:drawings|layout|states|tables/(?:pages|cell)|words|fields/(?!combobox)|over/(?:over|dialog|drawer|dots-menu)[.])|data/[^/]+[.]ts)|@tanstack/(?:react-)?query`,
    ),
  },
  { name: 'forms', test: new RegExp(`react-hook-form|${src}app/forms/`) },
  // Boxes and lists of Base UI share most of their code. Dialogs, menus and the like are loaded when they open.
  {
    name: 'controls',
    test: new RegExp(
      `@floating-ui/|@base-ui/(?!react/(?:dialog|alert-dialog|menu|popover|toast|tooltip)/)|${src}parts/(?:controls|fields)/`,
    ),
  },
  {
    name: 'shared',
    test: new RegExp(
      `${src}(?:(?:app|data|parts)/(?!over/|queue/|removals/|people/account-owner|lists/(?!search-box|use-typed)|tables/)|text/(?:format-size|name-by))|/useLocation[.]`,
    ),
    minShareCount: 2,
  },
  // Parts with a table; the field of a search is in a queue, too, which has none.
  { name: 'lists', test: new RegExp(`${src}app/(?:removals/|people/account-owner|lists/(?!search-box|use-typed))`), minShareCount: 2 },
  // Parts of several pages of one screen. The queue has its data beside its screens; signing comes when somebody signs.
  {
    name: (id: string) =>
      /console\/src\/(?:screens\/([^/]+)|data\/(queue)(?!\/prepare-signature))\//.exec(id)?.slice(1).find(Boolean) ?? null,
    minShareCount: 2,
  },
] satisfies import('vite').Rolldown.CodeSplittingGroup[];

/** The public interface of the part apps: files that name the app of each row, split into the rows of each app. */
export { findAppColumnIn, isAppColumn } from './app-column.ts';
export { type SplitFile, splitByApp } from './split-apps.ts';

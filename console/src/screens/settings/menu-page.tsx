/** The settings of a narrow window: the menu alone. */
import { Page } from '~/app/page.tsx';
import { text } from '~/text/text.ts';
import { SettingsMenu } from './menu.tsx';

export function MenuPage() {
  return (
    <Page title={text('settings.title')} width="bare">
      <SettingsMenu />
    </Page>
  );
}

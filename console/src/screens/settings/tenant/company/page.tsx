/** Name of the company, its time zone, and what of the installation is set where the server is started. */
import { useQuery } from '@tanstack/react-query';
import { read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { waysInQuery } from '~/data/session/sign-in.ts';
import { Facts } from '~/parts/words/facts.tsx';
import { Load } from '~/parts/states/load.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/settings/tenant/tenant.module.css';
import { TenantPage } from '~/screens/settings/tenant/tenant-page.tsx';
import { CompanyForm } from './company-form.tsx';

export function CompanyPage() {
  const enabled = useMay('settings.read');
  const settings = useQuery({ ...read('TenantSettingsService.Get', {}), enabled });
  const able = useQuery({ ...read('TenantEmailProviderService.GetEmailCapabilities', {}), enabled });
  const ways = useQuery(waysInQuery);
  return (
    <TenantPage title={text('settings.nameAndZone')} intro={text('company.intro')} reads="settings.read" writes="settings.write">
      {(mayWrite) => (
        <>
          <Load query={settings}>{(data) => <CompanyForm settings={data.settings ?? {}} mayWrite={mayWrite} />}</Load>
          <section className={styles.section} aria-labelledby="server">
            <h2 id="server">{text('company.server')}</h2>
            <p className={styles.hint}>{text('company.serverHint')}</p>
            <Facts
              rows={[
                { term: text('company.address'), children: window.location.origin },
                {
                  term: text('company.mail'),
                  children: able.isSuccess
                    ? text(able.data.externalEmailSupported === true ? 'company.mailLeaves' : 'company.mailNot')
                    : undefined,
                },
                {
                  term: text('company.links'),
                  children: ways.isSuccess ? text(ways.data.mailLinks ? 'company.linksOn' : 'company.linksOff') : undefined,
                },
              ]}
            />
          </section>
        </>
      )}
    </TenantPage>
  );
}

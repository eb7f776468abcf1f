/** Directories over LDAP. */
import type { LdapSettings } from '~/data/messages.ts';
import type { KindOfSource } from './kind.ts';

export const ldap: KindOfSource<LdapSettings> = {
  id: 'LDAP',
  type: 'type.googleapis.com/countersign.v1.LdapSettings',
  name: 'ldap.name',
  about: 'ldap.about',
  before: 'ldap.before',
  people: 'directory',
  canTest: true,
  fields: [
    {
      name: 'url',
      control: 'line',
      label: 'ldap.url',
      hint: 'ldap.urlHint',
      example: 'ldaps://dc1.example.com',
      isRequired: true,
      isPlace: true,
    },
    { name: 'baseDn', control: 'line', label: 'ldap.baseDn', hint: 'ldap.baseDnHint', example: 'dc=example,dc=com', isRequired: true },
    {
      name: 'bindDn',
      control: 'line',
      label: 'ldap.bindDn',
      hint: 'ldap.bindDnHint',
      example: 'cn=countersign,ou=services,dc=example,dc=com',
    },
    { name: 'bindPassword', control: 'line', label: 'ldap.bindPassword', isSecret: true },
    { name: 'ca', control: 'area', label: 'ldap.ca', hint: 'ldap.caHint', example: '-----BEGIN CERTIFICATE-----' },
    {
      name: 'userFilter',
      control: 'line',
      label: 'ldap.userFilter',
      hint: 'ldap.filterHint',
      example: '(objectClass=person)',
      isMore: true,
    },
    {
      name: 'groupFilter',
      control: 'line',
      label: 'ldap.groupFilter',
      hint: 'ldap.filterHint',
      example: '(objectClass=group)',
      isMore: true,
    },
    {
      name: 'serviceFilter',
      control: 'line',
      label: 'ldap.serviceFilter',
      hint: 'ldap.serviceFilterHint',
      example: '(ou=services)',
      isMore: true,
    },
    { name: 'attributes', control: 'lines', label: 'ldap.attributes', hint: 'ldap.attributesHint', isMore: true },
    {
      name: 'disabledWhen',
      control: 'lines',
      label: 'ldap.disabledWhen',
      hint: 'ldap.disabledWhenHint',
      example: 'employeeStatus=left',
      isMore: true,
    },
  ],
  systems: [
    { name: 'Active Directory', also: 'ad windows domain microsoft domäne verzeichnis' },
    { name: 'OpenLDAP', also: 'ldap slapd directory verzeichnis' },
    { name: 'FreeIPA', also: 'ldap red hat identity management idm' },
    { name: '389 Directory Server', also: 'ldap red hat directory' },
    { name: { text: 'ldap.aDirectory' }, also: 'ldap directory verzeichnis samba' },
  ],
};

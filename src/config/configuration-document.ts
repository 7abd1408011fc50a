import type { ConfigurationSchema } from './configuration-schema.js';

type ReadonlyArrays<Value> = Value extends readonly (infer Item)[]
  ? readonly ReadonlyArrays<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: ReadonlyArrays<Value[Key]> }
    : Value;

type Schema = ReadonlyArrays<ConfigurationSchema>;
type HostDocument = Schema['hosts'][string];
export type SimulatedHostDocument = Extract<HostDocument, { readonly simulated: true }>;
export type RemoteHostDocument = Exclude<HostDocument, SimulatedHostDocument> & { readonly simulated?: undefined };

/** The configuration file after it passed sallyport.schema.json, with its defaults filled in. */
export type ConfigurationDocument = Omit<Schema, 'hosts'> & {
  readonly hosts: Readonly<Record<string, SimulatedHostDocument | RemoteHostDocument>>;
};

type Entry<Key extends 'pools' | 'printers' | 'lines' | 'entryPoints'> = ConfigurationDocument[Key][string];
export type PoolDocument = Entry<'pools'>;
export type PrinterDocument = Entry<'printers'>;
export type InboundLineDocument = Exclude<Entry<'lines'>, { readonly outbound: true }>;
export type OutboundLineDocument = Extract<Entry<'lines'>, { readonly outbound: true }>;
export type EntryPointDocument = Entry<'entryPoints'>;
export type TransactionDocument = EntryPointDocument['transactions'][string];
export type PoolPasswordDocument = PoolDocument['users'][number]['password'];
export type MacrosAutoRefresh = ConfigurationDocument['macrosAutoRefresh'];
export type AuditDocument = ConfigurationDocument['audit'];
export type StoreDocument = NonNullable<ConfigurationDocument['store']>;
export type ClusterDocument = NonNullable<ConfigurationDocument['cluster']>;
export type SecuritySettings = ConfigurationDocument['security'];
export type LdapDocument = NonNullable<SecuritySettings['ldap']>;
export type TerminalSettingsRuleDocument = Pick<
  NonNullable<EntryPointDocument['terminalSettings']>,
  'defaults' | 'locked'
>;

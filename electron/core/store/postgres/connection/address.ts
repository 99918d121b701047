import { X509Certificate } from 'node:crypto';
import { quote } from '#shared/values/validate.ts';
import { nodeFiles } from '../../../disk/files.ts';
import { readWholeNow } from '../../../disk/whole-file.ts';
import { StartError } from '../../../base/errors.ts';
import { isLoopback } from '../../../tls/names.ts';

/** Address of a database, and its user. */
export interface Address {
  /** One at least; the one that takes writes is found among them. */
  readonly hosts: readonly Host[];
  readonly user: string;
  readonly database: string;
  readonly tls: 'off' | 'any-certificate' | 'checked';
  /** PEM of whom its certificate is checked against; null: those that this machine trusts. */
  readonly authority: string | null;
  /** For people: never a password. */
  readonly name: string;
}

export interface Host {
  readonly host: string;
  readonly port: number;
}

const PORT = 5432;
const FORM =
  /^postgres(?:ql)?:\/\/(?<user>[^@/?#]*)@(?<hosts>[^@/?#]+)\/(?<database>[^/?#]+)(?:\?(?<query>.*))?$/;
const HOST = /^(?:\[(?<six>[0-9a-fA-F:.]+)\]|(?<name>[^:[\]]+))(?::(?<port>\d{1,5}))?$/;
const TLS = new Map<string, Address['tls']>([
  ['disable', 'off'],
  ['require', 'any-certificate'],
  ['verify-full', 'checked'],
]);
const EXAMPLE = 'postgres://user@host/database, or postgres://user@host-a,host-b:5433/database';

/** Returns what the address of a database says. Throws StartError (`bad-flag`), which never repeats a password. */
export function parseAddress(url: string): Address {
  const parts = FORM.exec(url)?.groups;
  if (!parts) throw wrong(`The address of the database must look like ${EXAMPLE}.`);
  const { user = '', hosts = '', database = '', query = '' } = parts;
  if (user.includes(':'))
    throw wrong(
      'The address of the database holds a password, which every user of this machine could read. ' +
        'Leave it out of the address, and set FIELDBENCH_STORE_PASSWORD or --store-password-file instead.',
    );
  if (user === '') throw wrong(`The address of the database names no user. It must look like ${EXAMPLE}.`);
  const found = hosts.split(',').map(hostOf);
  const { tls, authority } = tlsOf(new URLSearchParams(query), found);
  const named = decode(database);
  return {
    hosts: found,
    user: decode(user),
    database: named,
    tls,
    authority,
    name: `${named} at ${hosts}`,
  };
}

function hostOf(text: string): Host {
  const groups = HOST.exec(text)?.groups;
  const port = Number(groups?.port ?? PORT);
  if (!groups || port < 1 || port > 65_535)
    throw wrong(`The address of the database names the host ${quote(text)}. It must look like ${EXAMPLE}.`);
  return { host: groups.six ?? groups.name ?? '', port };
}

/** Returns the TLS options: across a network TLS with a verified certificate, unless the address says otherwise. */
function tlsOf(query: URLSearchParams, hosts: readonly Host[]): Pick<Address, 'tls' | 'authority'> {
  for (const key of query.keys())
    if (key !== 'sslmode' && key !== 'sslrootcert')
      throw wrong(`The address of the database takes sslmode and sslrootcert after "?", got ${quote(key)}.`);
  const isOwn = hosts.every(({ host }) => isLoopback(host));
  const mode = query.get('sslmode') ?? (isOwn && !query.has('sslrootcert') ? 'disable' : 'verify-full');
  const tls = TLS.get(mode);
  if (!tls) throw wrong(`sslmode must be one of ${[...TLS.keys()].join(', ')}, got ${quote(mode)}.`);
  const file = query.get('sslrootcert');
  if (file !== null && tls !== 'checked')
    throw wrong(`sslrootcert is for sslmode=verify-full, got sslmode=${mode}: leave one of the two away.`);
  return { tls, authority: file === null ? null : authorityIn(file) };
}

function authorityIn(file: string): string {
  try {
    const text = readWholeNow(nodeFiles, file).toString();
    void new X509Certificate(text);
    return text;
  } catch (error) {
    throw new StartError(
      'bad-flag',
      `sslrootcert must be a file with the certificate, as PEM, that the database's own is signed by, got ${quote(file)}: ${(error as Error).message}.`,
      { cause: error },
    );
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong(`The address of the database holds ${quote(text)}, which is no percent-encoded text.`);
  }
}

const wrong = (message: string) => new StartError('bad-flag', message);

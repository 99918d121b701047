import { quote } from '#shared/validate.ts';
import { StartError } from '../../errors.ts';

/** Where a database is, and as whom it is asked. */
export interface Address {
  /** One at least; the one that takes writes is found among them. */
  readonly hosts: readonly Host[];
  readonly user: string;
  readonly database: string;
  readonly tls: 'off' | 'any-certificate' | 'checked';
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
        'Leave it out of the address, and set FIELDBENCH_STORE_PASSWORD instead.',
    );
  if (user === '') throw wrong(`The address of the database names no user. It must look like ${EXAMPLE}.`);
  const tls = tlsOf(new URLSearchParams(query));
  const named = decode(database);
  return {
    hosts: hosts.split(',').map(hostOf),
    user: decode(user),
    database: named,
    tls,
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

function tlsOf(query: URLSearchParams): Address['tls'] {
  for (const key of query.keys())
    if (key !== 'sslmode')
      throw wrong(`The address of the database takes sslmode alone after "?", got ${quote(key)}.`);
  const mode = query.get('sslmode') ?? 'disable';
  const tls = TLS.get(mode);
  if (!tls) throw wrong(`sslmode must be one of ${[...TLS.keys()].join(', ')}, got ${quote(mode)}.`);
  return tls;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong(`The address of the database holds ${quote(text)}, which is no percent-encoded text.`);
  }
}

const wrong = (message: string) => new StartError('bad-flag', message);

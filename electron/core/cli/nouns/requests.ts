import type { InputOf, OutputOf } from '#shared/operations/index.ts';
import { REQUEST_DOORS } from '#shared/domain/sources.ts';
import { parseJson } from '#shared/values/json.ts';
import { alternatives } from '#shared/values/text.ts';
import { UsageError } from '../../base/errors.ts';
import { oneOf } from '../parse.ts';
import { columns, nounCommand } from './noun-command.ts';

/** What requests are asked for by. */
export const REQUEST_FLAGS = { door: { type: 'string' }, status: { type: 'string' } } as const;

export const REQUEST_FLAGS_HELP = `  --door D            ${alternatives(REQUEST_DOORS)} alone
  --status S          accepted, refused, or a status alone`;

/** Throws UsageError. */
export const requestsAsked = ({
  door,
  status,
}: { readonly [Flag in keyof typeof REQUEST_FLAGS]?: string | undefined }) => ({
  ...(door !== undefined && { door: oneOf('door', door, REQUEST_DOORS) }),
  ...(status !== undefined && { status: status as InputOf<'requests.list'>['status'] }),
});

export const requestLines = (found: OutputOf<'requests.list'>) =>
  columns(
    found.map(({ time, door, method, status, path, message, fault }) => [
      time,
      door,
      method,
      `${status}`,
      [path, ...(message === null ? [] : [message]), ...(fault === null ? [] : [`fault "${fault}"`])].join(
        ': ',
      ),
    ]),
  );

export const list = nounCommand({
  flags: { ...REQUEST_FLAGS, limit: { type: 'string' } },
  help: `${REQUEST_FLAGS_HELP}
  --limit N           how many at most (100)`,
  example: 'requests list --status refused',
  async run({ ask, values }) {
    const input = {
      ...requestsAsked(values),
      ...(values.limit !== undefined && { limit: values.limit }),
    } as InputOf<'requests.list'>;
    const found = await ask('requests.list', input, { status: 'status', limit: 'limit' });
    return { data: found, lines: requestLines(found) };
  },
});

export const verify = nounCommand({
  word: 'a JSON object',
  flags: {},
  help: '  JSON                the body of POST /_local/v1/requests/verify (docs/rigs.md)',
  example: `requests verify '{"match": {"operation": "ingest"}, "count": {"min": 1}}'`,
  async run({ ask, word }) {
    let body: unknown;
    try {
      body = parseJson(word);
    } catch (error) {
      throw new UsageError(`requests verify takes a JSON object: ${(error as Error).message}`);
    }
    const found = await ask('requests.verify', body as InputOf<'requests.verify'>);
    const nearest = found.nearest?.flatMap(({ request, differs }) => [
      `  ${request.time} ${request.method} ${request.path}`,
      ...differs.map((line) => `    ${line}`),
    ]);
    return {
      data: found,
      lines: [
        `${found.matched ? 'It is so' : 'It is not so'}: ${found.count} as described.`,
        ...(nearest?.length ? ['Nearest:', ...nearest] : []),
      ],
      failed: !found.matched,
    };
  },
});

export const clear = nounCommand({
  flags: {},
  help: '',
  example: 'requests clear',
  async run({ ask }) {
    const cleared = await ask('requests.clear', {});
    return { data: cleared, lines: [`Forgotten: ${cleared.cleared}.`] };
  },
});

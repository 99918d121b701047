import type { HttpId } from '#shared/operations/index.ts';

/* What the OpenAPI document says in words, beside the `description` of each operation. */

export const ABOUT = `Projects, their devices and the records that devices store, kept by this service alone: it needs no account and no internet.

Operations marked \`x-extension: true\` go beyond the /v2 document and are absent where the service runs with \`--strict\`.

Every answer but an export and this document is the envelope \`{success, action, status, message, data}\`, all five always. HEAD is answered wherever GET is, without the body. JSON bodies are read as UTF-8 whatever Content-Type they come with, and their unknown fields are ignored. Lengths of texts count Unicode code points. Times are ISO 8601 with "Z" or an offset and 0 to 9 fraction digits, read to the microsecond; answers write them in UTC. Ids are opaque: any other text is simply not found.`;

type Noun<Id extends string> = Id extends `${infer N}.${string}` ? N : never;

/** The tags: what the name of an operation begins with. */
export const TAGS: Readonly<Record<Noun<HttpId> | 'integrations', string>> = {
  projects: 'Projects, which hold devices.',
  devices: 'Devices, which store records.',
  data: 'Records of a device, a page at a time.',
  records: 'Records of a device in bulk.',
  series: 'Records of a device as charts draw them.',
  functions: 'Functions of a project.',
  widgets: 'Widgets of a project.',
  accounts: 'Accounts of the installation.',
  keys: 'API keys of an account.',
  status: 'The service itself.',
  openapi: 'This document.',
  integrations: 'How devices store records.',
};

/** Parameters of paths and queries, by name. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  page: 'The page, from 1.',
  limit: 'Items a page.',
  search:
    'Words that all occur in name, id, tags, brand, model or description; case and accents do not matter.',
  tags: 'Tags separated by ",": the device has all of them, exactly so.',
  source: 'How the device stores records.',
  sort: '"seen": latest seen first, as Fetch devices; "created": newest first; "name": by name, numbers in it by value.',
  range: '"all", or "time" for the records from `start` to `end`.',
  start:
    'First time, included. Fetch data needs it with `range=time` and does not look at it with `range=all`.',
  end: 'Last time, included. Fetch data needs it with `range=time` and does not look at it with `range=all`.',
  keys: 'Data keys separated by ",". Blanks around each are trimmed and empty ones dropped, so a key that begins or ends with a blank cannot be named, and a text of nothing but blanks and commas means all keys, as no text does.',
  width: 'Columns of the picture.',
  account_id: "An account; absent, the key's own.",
  format: 'How the records are written.',
  delimiter: 'CSV: what stands between fields.',
  time_column:
    'CSV: name of the column of times; empty where the rows carry none and the time of receipt counts.',
  date_order: 'CSV: how to read dates such as 04/02/2015.',
  zone: 'The IANA time zone of times that carry none.',
  columns: 'CSV: the columns to import, separated by ","; absent, all but row numbers and the time.',
  on_error: 'What a row that cannot be read does: nothing is imported, or the others are kept.',
};

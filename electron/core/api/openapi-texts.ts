import type { HttpId } from '#shared/operations/index.ts';

/* What the OpenAPI document says in words. A new operation needs its line here to compile. */

export const ABOUT = `Projects, their devices and the records that devices store, kept by this service alone: it needs no account and no internet.

Operations marked \`x-extension: true\` go beyond the /v2 document and are absent where the service runs with \`--strict\`.

Every answer but an export and this document is the envelope \`{success, action, status, message, data}\`, all five always. HEAD is answered wherever GET is, without the body. JSON bodies are read as UTF-8 whatever Content-Type they come with, and their unknown fields are ignored. Lengths of texts count Unicode code points. Times are ISO 8601 with "Z" or an offset and 0 to 9 fraction digits, read to the microsecond; answers write them in UTC. Ids are opaque: any other text is simply not found.`;

export const DESCRIPTIONS: Readonly<Record<HttpId, string>> = {
  'projects.list': "The projects of the key's account that it may see, newest first.",
  'projects.get': 'One project.',
  'projects.delete': 'Deletes a project with its devices, their records, functions and widgets, for good.',
  'devices.create':
    'Adds a device to a project. `metadata` of the answer carries the token with which the device stores records.',
  'devices.list': 'The devices of a project: latest seen first, then newest created.',
  'devices.get': 'One device with its tags, credentials and metadata.',
  'devices.delete': 'Deletes a device with its records, functions and related widgets, for good.',
  'data.list':
    'One page of records: newest timestamp first, equal ones latest arrival first. A page past the end is empty. A record that lacks every asked key still takes its place, as its timestamp alone.',
  'data.keys': 'The data keys of a device, sorted, without `timestamp`.',
  'data.purge': 'Deletes all records of a device, for good. The device stays.',
  'status.get': 'How the service runs and where it listens.',
  'openapi.get': 'This document, bare: without the envelope, so that generators can read it by its address.',
  'accounts.list': 'The accounts of this installation.',
  'accounts.create': 'Adds an account and its first key, which has all permissions in it.',
  'keys.list': 'The API keys of an account, without their secrets.',
  'keys.create': 'Makes an API key. Its text is in this answer and nowhere else.',
  'keys.revoke': 'Revokes an API key: from then on it is unknown.',
  'projects.create': 'Adds a project.',
  'projects.update': 'Changes the fields of a project that are given.',
  'devices.find':
    'Devices as people look for them, with their tags, source, number of records and newest record.',
  'devices.update': 'Changes the fields of a device that are given.',
  'devices.renew-token': 'Gives a device another token. The old one is unknown from then on.',
  'devices.summary': 'How many records a device has, of which keys and times.',
  'devices.impact': 'What deleting the device would remove.',
  'projects.impact': 'What deleting the project would remove.',
  'records.import':
    'Imports a file of records, of any size: all of it or, with `on_error=keep`, the rows that can be read. What is not said is guessed from the first rows and told in the answer. Any Content-Type is taken; it decides only where `format` is absent.',
  'records.inspect': 'Tells how the beginning of a file would be imported.',
  'records.export': 'The records of a device, oldest first, as a file. It can be imported again.',
  'records.delete': 'Deletes the records from `start` to `end`, both included, for good.',
  'series.get':
    'What a chart draws: the span in `width` columns, and of each key and column the count, minimum, maximum, first and last number. Column c covers the times t with floor((t - start) * width / (end - start + 1)) = c, in µs.',
  'functions.list': 'The functions of a project.',
  'functions.create': 'Adds a function to a device of the project.',
  'functions.get': 'One function.',
  'functions.update': 'Changes the fields of a function that are given.',
  'functions.delete': 'Deletes a function.',
  'widgets.list': 'The widgets of a project.',
  'widgets.create': 'Adds a widget that shows keys of devices of the project.',
  'widgets.get': 'One widget.',
  'widgets.update': 'Changes the fields of a widget that are given.',
  'widgets.delete': 'Deletes a widget.',
};

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

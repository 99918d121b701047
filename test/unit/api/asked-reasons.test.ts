import { expect, test } from 'vitest';
import { inV2, operationIds, operationOf, type OperationId } from '#shared/operations/index.ts';
import { reads } from '#shared/operations/reads.ts';
import { parametersOf } from '#shared/schema/path-parameters.ts';

/*
 * Operations of which a project may ask for a reason (docs/local-api.md, "Reasons"). One that is added, changes something and is of
 * a project, or of all that is in projects, says in its row that it asks, or here why not.
 */

const ADDS = 'it adds, and changes nothing that was measured';
const SHOWN = 'it changes how data are shown, or what is done with them, not the data';
const CARRIES = 'it brings what was reasoned where it was done';
const BACK = 'it takes back';
const OF_V2 = 'the document knows no reason';

const ASKS_FOR_NONE: { readonly [Id in OperationId]?: string } = {
  'accounts.create': ADDS,
  'accounts.remove': 'an account goes with all of its projects: none of them is left to ask',
  'accounts.reset': 'an account is emptied of all of its projects: none of them is left to ask',
  'alarms.acknowledge': 'it says that somebody has seen what was measured',
  'backup.restore': CARRIES,
  'backup.with-secrets': 'it changes nothing here',
  'data.purge': OF_V2,
  'devices.create': ADDS,
  'devices.create-many': ADDS,
  'devices.delete': OF_V2,
  'devices.move': CARRIES,
  'devices.renew-token': SHOWN,
  'devices.update': SHOWN,
  'functions.create': SHOWN,
  'functions.delete': SHOWN,
  'functions.silence': SHOWN,
  'functions.update': SHOWN,
  'key-settings.set': SHOWN,
  'notes.create': ADDS,
  'notes.delete': 'a note is what somebody said, not what was measured',
  'notes.update': 'a note is what somebody said, not what was measured',
  'projects.create': ADDS,
  'projects.delete': OF_V2,
  'projects.update': SHOWN,
  'push.plan': CARRIES,
  'push.run': CARRIES,
  'records.import': ADDS,
  'requests.send': ADDS,
  'simulators.building': ADDS,
  'simulators.create': ADDS,
  'simulators.delete': SHOWN,
  'snapshots.create': 'it changes nothing that is there',
  'snapshots.remove': 'it changes nothing that is there',
  'snapshots.restore': BACK,
  'sync.add-device': CARRIES,
  'sync.add-project': CARRIES,
  'sync.corrections': CARRIES,
  'sync.merge': CARRIES,
  'sync.rows': CARRIES,
  'undo.discard': 'what goes for good was deleted for a reason before',
  'undo.restore': BACK,
  'widgets.create': SHOWN,
  'widgets.delete': SHOWN,
  'widgets.import': ADDS,
  'widgets.update': SHOWN,
};

/** Nouns of what is in projects, also where the path names none. */
const OF_PROJECTS =
  /^(accounts|backup|corrections|data|devices|edits|projects|push|records|simulators|snapshots|sync|undo)\./;

const ofProjects = operationIds.filter(
  (id) => !reads(id) && (OF_PROJECTS.test(id) || parametersOf(operationOf(id).path).includes('project_id')),
);
const asking = operationIds.filter((id) => operationOf(id).asksForReason !== undefined);

test('each operation that changes something of projects asks for a reason, or it is said why not', () => {
  expect([...asking, ...Object.keys(ASKS_FOR_NONE)].toSorted()).toEqual(ofProjects.toSorted());
});

test.each(asking)('%s has a reason in its input, names its project, and is none of the document', (id) => {
  const { input, path, asksForReason } = operationOf(id);
  expect(inV2(id)).toBe(false);
  expect(parametersOf(path)).toContain('project_id');
  const { shape } = input as unknown as { readonly shape: Readonly<Record<string, unknown>> };
  expect(Object.keys(shape)).toContain('reason');
  if (typeof asksForReason === 'string') expect(Object.keys(shape)).toContain(asksForReason);
});

import type { Command, Loaded } from '../command.ts';

const projects = () => import('./projects.ts');
const devices = () => import('./devices.ts');
const keys = () => import('./keys.ts');
const accounts = () => import('./accounts.ts');
const snapshots = () => import('./snapshots.ts');
const corrections = () => import('./corrections.ts');
const alarms = () => import('./alarms.ts');
const dashboard = () => import('./dashboard.ts');
const excursions = () => import('./excursions.ts');
const undo = () => import('./undo.ts');
const records = () => import('./records.ts');
const requests = () => import('./requests.ts');
const faults = () => import('./faults.ts');
const clock = () => import('./clock.ts');
const audit = () => import('./audit.ts');
const follow = () => import('./follow.ts');
const simulate = () => import('./simulate.ts');

/** Commands that are an operation of the service each. `exits`: as of all that ask it. */
export const nounCommands = (exits: string): readonly Command[] => {
  const command = (name: string, does: string, load: () => Promise<Loaded>, also = ''): Command => ({
    name,
    does,
    exits: also + exits,
    load,
  });
  return [
    command('projects list', 'lists the projects', async () => (await projects()).list),
    command('projects show', 'says what a project is', async () => (await projects()).show),
    command('projects create', 'makes a project', async () => (await projects()).create),
    command('projects change', 'changes what one is', async () => (await projects()).change),
    command(
      'projects delete',
      'deletes one, so that it can be undone',
      async () => (await projects()).remove,
    ),
    command('devices list', 'lists the devices', async () => (await devices()).list),
    command('devices show', 'says what a device is and has', async () => (await devices()).show),
    command(
      'devices create',
      'makes a device, and prints its id and token',
      async () => (await devices()).create,
    ),
    command('devices token', 'prints the token of a device', async () => (await devices()).token),
    command(
      'devices import',
      'makes those of a list, and prints their tokens',
      async () => (await import('./import-devices.ts')).importDevices,
    ),
    command('devices delete', 'deletes one, so that it can be undone', async () => (await devices()).remove),
    command('keys list', 'lists the API keys', async () => (await keys()).list),
    command('keys create', 'makes an API key, and prints it', async () => (await keys()).create),
    command('keys revoke', 'revokes an API key', async () => (await keys()).revoke),
    command(
      'records put',
      'stores what a device would send, as the device',
      async () => (await import('./put-records.ts')).recordsPut,
      '1 where nothing can be sent, ',
    ),
    command(
      'records tail',
      'prints what a device stores, as it comes',
      async () => (await follow()).recordsTail,
    ),
    command(
      'records import',
      'stores the records of a file',
      async () => (await import('./import-records.ts')).importRecords,
      '1 where the file cannot be read, ',
    ),
    command(
      'records list',
      'prints records of a device, the newest first',
      async () => (await records()).list,
    ),
    command(
      'records delete',
      'deletes those of a span, so that it can be undone',
      async () => (await records()).remove,
    ),
    command(
      'records purge',
      'deletes all of a device, so that it can be undone',
      async () => (await records()).purge,
    ),
    command(
      'corrections list',
      'lists the corrections of a device, the oldest first',
      async () => (await corrections()).list,
    ),
    command(
      'corrections create',
      'corrects records of a device, and prints the id',
      async () => (await corrections()).create,
    ),
    command(
      'corrections change',
      'makes a new version of a correction',
      async () => (await corrections()).change,
    ),
    command(
      'corrections delete',
      'removes one, which stays in the history',
      async () => (await corrections()).remove,
    ),
    command(
      'corrections history',
      'says who corrected what, and when',
      async () => (await corrections()).history,
    ),
    command(
      'excursions list',
      'says how long a key was outside of its normal range, and was not measured',
      async () => (await excursions()).list,
    ),
    command('alarms list', 'lists alarms of rules, the newest first', async () => (await alarms()).list),
    command(
      'alarms acknowledge',
      'says that somebody has seen one',
      async () => (await alarms()).acknowledge,
    ),
    command(
      'dashboard export',
      'prints the widgets of a project as a file',
      async () => (await dashboard()).exportDashboard,
    ),
    command(
      'dashboard import',
      'adds the widgets of such a file, all of them or none',
      async () => (await dashboard()).importDashboard,
    ),
    command('undo list', 'lists what was deleted and can be had back', async () => (await undo()).list),
    command('undo restore', 'puts it back', async () => (await undo()).restore),
    command('undo discard', 'removes it for good', async () => (await undo()).discard),
    command('accounts list', 'lists the accounts', async () => (await accounts()).list),
    command(
      'accounts create',
      'makes an account, and prints its id and key',
      async () => (await accounts()).create,
    ),
    command('accounts delete', 'removes one for good', async () => (await accounts()).remove),
    command('reset', 'empties an account for good', async () => (await accounts()).reset),
    command('snapshot save', 'keeps an account as it is', async () => (await snapshots()).save),
    command('snapshot list', 'lists the snapshots', async () => (await snapshots()).list),
    command(
      'snapshot restore',
      'puts an account back as a snapshot has it',
      async () => (await snapshots()).restore,
    ),
    command('snapshot delete', 'removes one for good', async () => (await snapshots()).remove),
    command('requests list', 'lists the last requests', async () => (await requests()).list),
    command('requests -f', 'prints requests as they come', async () => (await follow()).requestsFollow),
    command(
      'requests verify',
      'says whether requests came as described',
      async () => (await requests()).verify,
      '1 where they did not, ',
    ),
    command('requests clear', 'forgets them', async () => (await requests()).clear),
    command('faults show', 'says what goes wrong on purpose', async () => (await faults()).show),
    command('faults set', 'makes requests, or the disk, fail by rules', async () => (await faults()).set),
    command('faults clear', 'ends all of them', async () => (await faults()).clear),
    command('clock show', "says the service's time", async () => (await clock()).show),
    command(
      'clock set',
      'sets the clock of a service that was started with --clock',
      async () => (await clock()).set,
    ),
    command(
      'clock advance',
      'moves it on, with all that is due on the way',
      async () => (await clock()).advance,
    ),
    command('audit list', 'says who changed what', async () => (await audit()).list),
    command(
      'audit export',
      'writes every line of the audit trail as a file',
      async () => (await audit()).exportTrail,
      '1 where the file is there already, ',
    ),
    command(
      'signing-key',
      'prints the fingerprint of the key that signs what is handed over',
      async () => (await import('./signing-key.ts')).signingKey,
    ),
    command('openapi', 'prints the OpenAPI document', async () => (await import('./openapi.ts')).openapi),
    command(
      'simulate start',
      'has a device store made-up records, and prints the id of its simulator',
      async () => (await simulate()).start,
    ),
    command('simulate list', 'lists the simulators', async () => (await simulate()).list),
    command('simulate stop', 'stops one', async () => (await simulate()).stop),
    command(
      'simulate building',
      'makes a project of six simulated devices, and prints its id',
      async () => (await simulate()).building,
    ),
    command(
      'replay',
      'stores once more what a device or an upload holds, and prints the id of its simulator',
      async () => (await simulate()).replay,
    ),
  ];
};

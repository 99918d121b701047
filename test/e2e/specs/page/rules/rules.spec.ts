import { expect, test } from '../../../app.ts';
import { look } from '../../../look.ts';
import { THREE_SIZES } from '../../../shot.ts';
import { tabTo } from '../../../steps/keyboard-steps.ts';
import {
  barsOf,
  firingsOf,
  makeRule,
  storeBoiler,
  wouldHave,
  writeLimit,
} from '../../../steps/rule-steps.ts';
import { expectChart, makeDevice, makeProject, store, visit, visitDevice } from '../../../steps/steps.ts';

/* A rule, from the limit that somebody knows to the alarm that somebody has seen. */

const counter = /^Alerts: /;

test('a rule is tried on the past while it is written, switched on, and finds what comes', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Boiler room');
  const boiler = await makeDevice(api, project_id, 'Boiler 1', { tags: ['boiler'] });
  await storeBoiler(api, boiler);
  await visitDevice(page, boiler, 'rules');
  await expect(page.getByText('No rules')).toBeVisible();
  await look(page, 'rules-empty');
  await page.getByRole('button', { name: 'New rule' }).click();

  // Tried as it is written, and not while it is not whole.
  await expect(wouldHave(page)).toHaveText(
    'Once the condition is whole, you see here what it would have done.',
  );
  await page.getByRole('textbox', { name: 'Name' }).fill('Boiler too hot');
  await writeLimit(page, '85');
  await expect(wouldHave(page)).toHaveText('Would have fired 3 times in the last 30 days.');
  await expect(page.getByTestId('rule-words')).toHaveText('When Supply above 85\u00A0°C');
  await expect(firingsOf(page)).toHaveCount(3);
  await expect(barsOf(page, 'tried')).toHaveCount(3);
  await look(page, 'rule-tried', THREE_SIZES);
  await page.getByRole('textbox', { name: 'For at least' }).fill('1 h');
  await expect(wouldHave(page)).toHaveText('Would not have fired in the last 30 days.');
  await expect(barsOf(page, 'tried')).toHaveCount(0);
  await page.getByRole('textbox', { name: 'For at least' }).fill('10 min');
  await expect(wouldHave(page)).toHaveText('Would have fired 3 times in the last 30 days.');

  // A firing leads the chart beside it there, and what is written stays.
  await firingsOf(page).first().getByRole('link').click();
  await expect(page).toHaveURL(/rules\?.*open=new/);
  await expect(page).toHaveURL(/from=/);
  await expect(barsOf(page, 'tried')).toHaveCount(1);
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Boiler too hot');
  await look(page, 'rule-firing');
  await page.getByRole('textbox', { name: 'For at least' }).fill('');
  await expect(wouldHave(page)).toHaveText('Would have fired 3 times in the last 30 days.');
  await page.getByRole('button', { name: 'Save and switch on' }).click();
  await expect(page.getByText('Rule “Boiler too hot” added')).toBeVisible();
  const rule = page.getByRole('table', { name: 'Rules' }).getByRole('row', { name: /Boiler too hot/ });
  await expect(rule).toContainText('Supply above 85 °C');
  await expect(rule).toContainText('Then: note, notification');
  await expect(rule.getByRole('switch')).toBeChecked();
  await expect(rule).toContainText('none');
  await look(page, 'rules', THREE_SIZES);

  // What is over by now raises nothing; what comes does.
  await store(api, boiler, { supply: 91 });
  await expect(page.getByRole('button', { name: counter })).toHaveAccessibleName(/^Alerts: 1 alarm/);
  await expect(rule).toContainText('1 alarm');
  const head = page.getByTestId('device-facts').getByRole('link', { name: '1 open alarm' });
  await expect(head).toBeVisible();
  const tree = page.getByRole('tree');
  await expect(
    tree.getByRole('treeitem', { name: /Boiler room/ }).getByRole('img', { name: '1 open alarm' }),
  ).toBeVisible();
  // As at first: the chart has the stretch that was looked at last.
  await visitDevice(page, boiler);
  await expect(barsOf(page, 'open')).toHaveCount(1);
  await look(page, 'alarm-chart');
  await visit(page, `#/projects/${project_id}`);
  await expect(
    page.getByRole('table', { name: 'Devices' }).getByRole('img', { name: '1 open alarm' }),
  ).toBeVisible();
  await look(page, 'alarm-devices');

  // Seen: it stays as long as it is open, and goes from what is to be seen once it has ended.
  await page.keyboard.press('w');
  await expect(page.getByRole('list', { name: 'Alarms to be seen' }).getByRole('listitem')).toHaveText([
    /Boiler 1 Boiler room.*Open: Boiler too hot.*since/,
  ]);
  await look(page, 'alarm-alerts');
  await page.getByRole('list', { name: 'Alarms to be seen' }).getByRole('link').click();
  const alarm = page.getByRole('table', { name: 'Alarms' }).getByRole('row', { name: /Boiler too hot/ });
  await expect(alarm).toContainText('Supply above 85 °C');
  await expect(alarm).toContainText('Seen by nobody');
  await look(page, 'alarms', THREE_SIZES);
  await alarm.getByRole('button', { name: /^Acknowledge/ }).click();
  await page.getByRole('textbox', { name: 'What was found, or done' }).fill('Valve stuck');
  await look(page, 'alarm-acknowledge');
  await page.keyboard.press('Enter');
  await expect(alarm).toContainText(/Seen at .* by app: Valve stuck/);
  await expect(alarm).toContainText('Open');
  await store(api, boiler, { supply: 70 });
  await expect(page.getByText('No alarm is to be seen')).toBeVisible();
  await expect(page.getByRole('button', { name: counter })).not.toHaveAccessibleName(/alarm/);
  await page.getByRole('button', { name: 'Show all alarms' }).click();
  await expect(alarm).toContainText('Ended');
  await alarm.getByRole('link').click();
  await expect(page.getByTestId('chart')).toBeVisible();
  await expect(barsOf(page, 'ended')).toHaveCount(1);
  // The note of its act has its span.
  await expect(page.getByRole('button', { name: /^Note: .*Boiler too hot/ })).toBeVisible();
  await visit(page, `#/projects/${project_id}/devices/${boiler.device_id}/report`);
  await expect(page.getByRole('article').locator('table[data-kind="alarms"]')).toContainText('Valve stuck');
});

test('by keyboard alone a rule is made, switched off and on, silenced, and deleted; each is taken back', async ({
  page,
  api,
}) => {
  const boiler = await makeDevice(api, await makeProject(api, 'Boiler room'), 'Boiler 1');
  await storeBoiler(api, boiler);
  await visitDevice(page, boiler, 'rules');
  await expect(page.getByText('No rules')).toBeVisible();
  await page.keyboard.press('n');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('Too hot');
  await tabTo(page, page.getByRole('textbox', { name: 'Limit (°C)' }));
  await page.keyboard.type('85');
  await expect(wouldHave(page)).toHaveText('Would have fired 3 times in the last 30 days.');
  await page.keyboard.press('Enter');
  const rule = page.getByRole('table', { name: 'Rules' }).getByRole('row', { name: /Too hot/ });
  await expect(rule.getByRole('link', { name: 'Too hot' })).toBeFocused();

  await tabTo(page, rule.getByRole('switch'), 'Shift+Tab');
  await page.keyboard.press('Space');
  await expect(rule.getByRole('switch')).not.toBeChecked();
  await expect(page.getByText('Rule “Too hot” switched off')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(rule.getByRole('switch')).toBeChecked();

  await tabTo(page, rule.getByRole('button', { name: 'Silence “Too hot”…' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.getByRole('menuitem', { name: 'Until a time…' }).press('Enter');
  const until = page.getByRole('dialog').getByRole('textbox', { name: 'Until' });
  await expect(until).toBeFocused();
  await page.keyboard.type('yesterday');
  await expect(until).toHaveAccessibleDescription(/No time to come\./);
  await expect(page.getByRole('button', { name: 'Silence', exact: true })).toBeDisabled();
  await look(page, 'rule-silence');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('2 h');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(rule).toContainText('Silenced until');
  await page.keyboard.press('Control+z');
  await expect(rule).not.toContainText('Silenced until');

  await tabTo(page, rule.getByRole('button', { name: 'Delete rule “Too hot”' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('No rules')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(rule).toBeVisible();
});

test('what is wrong is said at its field, in the words of the service, and what it refuses in the form', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Boiler room');
  const boiler = await makeDevice(api, project_id, 'Boiler 1');
  await storeBoiler(api, boiler);
  await visitDevice(page, boiler, 'rules?open=new');
  const save = page.getByRole('button', { name: 'Save and switch on' });
  await save.click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription('A name, such as “Boiler too hot”.');
  await expect(page.getByRole('textbox', { name: 'Limit (°C)' })).toHaveAccessibleDescription(
    'A number, such as 85.',
  );
  await look(page, 'rule-wrong');
  await name.fill('Too hot');
  await writeLimit(page, '85');
  const hysteresis = page.getByRole('textbox', { name: 'Hysteresis (°C)' });
  await hysteresis.fill('-1');
  await expect(hysteresis).toHaveAccessibleDescription('must be a number from 0, got -1');
  await hysteresis.fill('2');
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  await page.getByRole('textbox', { name: 'Webhook' }).fill('example.org');
  await expect(wouldHave(page)).toHaveText(
    'Once the condition is whole, you see here what it would have done.',
  );
  await save.click();
  await expect(page.getByRole('textbox', { name: 'Webhook' })).toHaveAccessibleDescription(
    /must be an address that begins with https/,
  );
  await page.getByRole('button', { name: 'Remove webhook 1' }).click();
  await expect(wouldHave(page)).toHaveText('Would have fired 3 times in the last 30 days.');
});

test('a rule of a program with conditions within conditions is shown in words, and kept as it is', async ({
  page,
  api,
}) => {
  const boiler = await makeDevice(api, await makeProject(api, 'Boiler room'), 'Boiler 1');
  await storeBoiler(api, boiler);
  const hot = { key: 'supply', above: 85, hysteresis: 2 };
  const condition = { when: { all: [hot, { any: [{ key: 'pump', is: 'on' }, { silent_s: 600 }] }] } };
  const id = await makeRule(api, boiler, 'Hot and dry', condition, { enabled: false });
  await visitDevice(page, boiler, `rules?open=${id}`);
  await expect(page.getByRole('group', { name: 'Condition 2' })).toContainText(
    'pump is on or no record for 10 min',
  );
  await page.getByRole('textbox', { name: 'Limit (°C)' }).fill('80');
  await expect(page.getByTestId('rule-words')).toContainText('(pump is on or no record for 10 min)');
  await look(page, 'rule-nested');
  await page.getByRole('button', { name: 'Save, off' }).click();
  await expect(page.getByText('Rule “Hot and dry” saved')).toBeVisible();
  const { data } = await api('GET', `/_local/v1/projects/${boiler.project_id}/functions/${id}`);
  expect(data).toMatchObject({
    enabled: false,
    condition: { when: { all: [{ ...hot, above: 80 }, condition.when.all[1]] } },
  });
});

test('a rule by tag watches each device that has it, and its firings lead to their charts', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Boiler room');
  const [first, second] = [
    await makeDevice(api, project_id, 'Boiler 1', { tags: ['boiler'] }),
    await makeDevice(api, project_id, 'Boiler 2', { tags: ['boiler'] }),
  ];
  await makeDevice(api, project_id, 'Pump');
  await storeBoiler(api, first);
  await store(api, second, { supply: 20 });
  await visit(page, `#/projects/${project_id}`);
  await page.getByRole('button', { name: 'Rules' }).click();
  await expect(page.getByText('No rules yet')).toBeVisible();
  await look(page, 'rules-project-empty');
  await page.getByRole('button', { name: 'New rule by tag' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Any boiler too hot');
  await page.getByRole('combobox', { name: 'Devices with the tag' }).fill('boil');
  await page.getByRole('option', { name: 'boiler', exact: true }).click();
  await writeLimit(page, '85');
  await expect(wouldHave(page)).toHaveText('Would have fired 3 times on 1 of 2 devices in the last 30 days.');
  await expect(firingsOf(page).first()).toContainText('Boiler 1');
  await look(page, 'rule-tag');
  await page.getByRole('button', { name: 'Save and switch on' }).click();
  const rule = page.getByRole('table', { name: 'Rules' }).getByRole('row', { name: /Any boiler/ });
  await expect(rule).toContainText('Devices with the tag “boiler”');
  await look(page, 'rules-project');
  // It is in the list of each of them, and written where it was made.
  await visitDevice(page, second, 'rules');
  await expect(rule).toContainText('By its tag “boiler”');
  await rule.getByRole('link', { name: 'Any boiler too hot' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Rules of Boiler room');
  await firingsOf(page).first().getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Boiler 1');
  await expectChart(page, 864);
});

import { List, Text } from '@mantine/core';
import { useCallback, useState } from 'react';
import type { InputOf } from '#shared/operations/index.ts';
import type { ImportedDevice } from '#shared/operations/metadata/widgets.ts';
import { ask } from '../../../bridge/ask.ts';
import { FormDialog } from '../../../components/dialog/form-dialog.tsx';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { sayDone } from '../../../components/work/notices.ts';
import { Loading } from '../../../components/work/loading.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { useRead } from '../../../components/work/use-read.ts';
import { countOf } from '../../../format.ts';
import { closeDialog } from '../../../stores/dialog.ts';
import { addImported } from '../change-widgets.ts';

interface ImportWidgetsDialogProps {
  readonly project_id: string;
  readonly file: File;
}

type Dashboard = InputOf<'widgets.import'>['dashboard'];

/** Names that are listed; the others are counted. */
const MOST_NAMED = 20;

/** Says what of a file of widgets is found in the project, and adds them. */
export function ImportWidgetsDialog({ project_id, file }: ImportWidgetsDialogProps) {
  const read = useCallback(async () => {
    const dashboard = await dashboardIn(file);
    const { devices } = await ask('widgets.import', { project_id, dashboard, dry_run: true });
    return { dashboard, devices };
  }, [project_id, file]);
  const { value, error } = useRead(read);
  const [isDone, setDone] = useState(false);
  const submit = useSubmit(async () => {
    if (!value || isDone) return;
    const { widgets } = await ask('widgets.import', { project_id, dashboard: value.dashboard });
    setDone(true);
    addImported(project_id, widgets);
    closeDialog();
    sayDone('Widgets imported', `${countOf(widgets.length, 'widget')} from “${file.name}”.`);
  });
  const count = value?.dashboard.widgets.length ?? 0;
  return (
    <FormDialog
      title={`Import widgets from “${file.name}”`}
      action={value ? `Add ${countOf(count, 'widget')}` : 'Add widgets'}
      submit={submit}
      disabled={count === 0}
      focusAction
    >
      {error !== null && <Problem message={error} />}
      {value === null && error === null && <Loading h={60} label="Reading the file" />}
      {value && count === 0 && <Text size="sm">There is no widget in this file.</Text>}
      {value && <Found devices={value.devices} />}
    </FormDialog>
  );
}

function Found({ devices }: { readonly devices: readonly ImportedDevice[] }) {
  const byId = devices.filter(({ by }) => by === 'id');
  const byName = devices.filter(({ by }) => by === 'name');
  const missing = devices.filter(({ by }) => by === null);
  return (
    <>
      {byId.length > 0 && <Text size="sm">{countOf(byId.length, 'device')} found by id.</Text>}
      {byName.length > 0 && (
        <>
          <Text size="sm">{countOf(byName.length, 'device')} found by name:</Text>
          <Names devices={byName} />
        </>
      )}
      {missing.length > 0 && (
        <>
          <Text size="sm" role="status">
            {countOf(missing.length, 'device')} not found in this project, or of several with that name.
            Widgets are added without them:
          </Text>
          <Names devices={missing} />
        </>
      )}
    </>
  );
}

function Names({ devices }: { readonly devices: readonly ImportedDevice[] }) {
  const left = devices.length - MOST_NAMED;
  return (
    <List size="sm">
      {devices.slice(0, MOST_NAMED).map(({ id, name }) => (
        <List.Item key={id}>
          <bdi>{name === '' ? id : name}</bdi>
        </List.Item>
      ))}
      {left > 0 && <List.Item>{countOf(left, 'other', 'others')}</List.Item>}
    </List>
  );
}

/** The file's content, which the service judges. Rejects where it is no JSON. */
async function dashboardIn(file: File): Promise<Dashboard> {
  const text = await file.text();
  try {
    return JSON.parse(text) as Dashboard;
  } catch {
    throw new Error(`“${file.name}” is no JSON: choose a file that “Export as a file” made.`);
  }
}

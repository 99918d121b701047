import { Button, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { isUplinkKey, UPLINK } from '#shared/domain/decoder-names.ts';
import type { DataRecord } from '#shared/schema/schemas.ts';
import { Loading } from '../../../components/work/loading.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { countOf, shortened } from '../../../format.ts';
import { payloadProblems, type TypedPayload } from './decoder-draft.ts';
import classes from './decoder-panel.module.css';
import { ErrorLine } from './error-line.tsx';
import type { Question } from './use-question.ts';
import { focusRefused } from '../../../components/dialog/focus-refused.ts';

/** Letters of a value that are shown, and of its title. */
const LETTERS = 300;
const LONGEST_TITLE = 2_000;

interface TryPayloadProps {
  readonly tried: Question<'functions.try'>;
  /** Port of a payload that has none. */
  readonly usualPort: string;
  /** Tries what is written with what is typed. */
  readonly onTry: (payload: { readonly bytes: string; readonly port?: number }) => void;
  readonly onLine: (line: number) => void;
}

/** A payload that is typed, and what the script that is written makes of it; nothing is stored. */
export function TryPayload({ tried, usualPort, onTry, onLine }: TryPayloadProps) {
  const [payload, setPayload] = useState<TypedPayload>({ bytes: '', port: '' });
  const [isTried, setIsTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { found, error, busy, clear } = tried;
  const problems = payloadProblems(payload);
  const write = (part: Partial<TypedPayload>) => {
    setPayload({ ...payload, ...part });
    // What was found is of another payload.
    clear();
  };
  const submit = () => {
    const isRight = problems.bytes === null && problems.port === null;
    setIsTried(!isRight);
    const port = payload.port.trim();
    if (isRight) onTry({ bytes: payload.bytes, ...(port !== '' && { port: Number(port) }) });
    else setTimeout(() => focusRefused(form.current));
  };
  return (
    <Stack gap="sm">
      <Title order={2} size="h5" id="decoder-payload">
        Try a payload
      </Title>
      <Text size="sm" c="dimmed">
        Decodes bytes that you type by what is written here, saved or not. Nothing is stored.
      </Text>
      <form
        ref={form}
        noValidate
        className={classes['payload-fields']}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextInput
          label="Bytes, hexadecimal"
          placeholder="00 d7 2d"
          value={payload.bytes}
          onChange={({ currentTarget }) => write({ bytes: currentTarget.value })}
          error={isTried && problems.bytes}
          classNames={{ input: 'mono' }}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          label="Port"
          placeholder={usualPort}
          inputMode="numeric"
          value={payload.port}
          onChange={({ currentTarget }) => write({ port: currentTarget.value })}
          error={isTried && problems.port}
          autoComplete="off"
        />
        <Button type="submit" variant="default" leftSection={<IconPlayerPlay size={16} />} loading={busy}>
          Try payload
        </Button>
      </form>
      <div role="status" aria-label="What the payload says">
        {busy && <Loading h={40} label="Decoding the payload" />}
        {found && <Text size="sm">{wordsOf(found.record)}</Text>}
      </div>
      {error !== null && <Problem message={error} />}
      {found && <Found record={found.record} onLine={onLine} />}
    </Stack>
  );
}

const isValue = (key: string) => key !== 'timestamp' && !isUplinkKey(key);

function wordsOf(record: DataRecord): string {
  if (UPLINK.error in record) return 'Not decoded.';
  const words = countOf(Object.keys(record).filter(isValue).length, 'value');
  return UPLINK.warning in record ? `${words}, and a warning.` : `${words}.`;
}

interface FoundProps extends Pick<TryPayloadProps, 'onLine'> {
  readonly record: DataRecord;
}

function Found({ record, onLine }: FoundProps) {
  const error = record[UPLINK.error];
  const rows = Object.entries(record).filter(([key]) => isValue(key) || key === UPLINK.warning);
  return (
    <>
      {error !== undefined && <ErrorLine message={String(error)} onLine={onLine} />}
      {rows.length > 0 && (
        <div className={classes['differences']} tabIndex={0} role="region" aria-label="Values, scrollable">
          <Table
            aria-label="Values of the payload"
            className={classes['values'] ?? ''}
            verticalSpacing={4}
            horizontalSpacing={8}
          >
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Key</Table.Th>
                <Table.Th>Value</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(([key, value]) => (
                <Table.Tr key={key}>
                  <Table.Td className="mono">{key}</Table.Td>
                  <Table.Td className="mono" title={shortened(String(value), LONGEST_TITLE)}>
                    {shortened(String(value), LETTERS)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </>
  );
}

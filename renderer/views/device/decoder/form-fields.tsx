import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import type { Encoding } from '#shared/domain/decoders.ts';
import type { FormDraft } from '../../../stores/decoder-drafts.ts';
import { formBy, SERVER_NAMES, wayOf, type DraftProblems, type Way } from './decoder-draft.ts';

interface FormFieldsProps {
  readonly form: FormDraft;
  readonly onChange: (form: FormDraft) => void;
  readonly problems: Pick<DraftProblems, 'at' | 'port'> | null;
  readonly disabled: boolean;
}

const WAYS = [
  { value: 'bytes', label: 'Raw bytes' },
  { value: 'hex', label: 'Hexadecimal text' },
  { value: 'base64', label: 'Base64 text' },
  { group: 'JSON of a network server', items: [...SERVER_NAMES] },
  { value: 'json', label: 'Other JSON' },
];
const ENCODINGS = [
  { value: 'base64', label: 'Base64' },
  { value: 'hex', label: 'Hexadecimal' },
];

/** How a device sends its bytes. */
export function FormFields({ form, onChange, problems, disabled }: FormFieldsProps) {
  const { payload, at, encoding, port_at, port } = form;
  return (
    <>
      <NativeSelect
        label="How the device sends"
        value={wayOf(form)}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(formBy(currentTarget.value as Way, form))}
        data={WAYS}
      />
      {payload === 'json' ? (
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          <TextInput
            label="Bytes are at"
            placeholder="uplink_message.frm_payload"
            value={at}
            disabled={disabled}
            onChange={({ currentTarget }) => onChange({ ...form, at: currentTarget.value })}
            error={problems?.at}
            autoComplete="off"
            spellCheck={false}
          />
          <NativeSelect
            label="As"
            value={encoding}
            disabled={disabled}
            onChange={({ currentTarget }) => onChange({ ...form, encoding: currentTarget.value as Encoding })}
            data={ENCODINGS}
          />
          <TextInput
            label="Port is at"
            placeholder="none: port 1"
            value={port_at}
            disabled={disabled}
            onChange={({ currentTarget }) => onChange({ ...form, port_at: currentTarget.value })}
            autoComplete="off"
            spellCheck={false}
          />
        </SimpleGrid>
      ) : (
        <TextInput
          label="Port (fPort)"
          placeholder="1"
          inputMode="numeric"
          value={port}
          disabled={disabled}
          onChange={({ currentTarget }) => onChange({ ...form, port: currentTarget.value })}
          error={problems?.port}
          autoComplete="off"
        />
      )}
    </>
  );
}

import { PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../../../components/dialog/form-dialog.tsx';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { closeDialog } from '../../../stores/dialog.ts';
import { startBackup } from './start-backup.ts';

const FIELD = {
  autoComplete: 'off',
  spellCheck: false,
  visibilityToggleButtonProps: { 'aria-label': 'Show or hide the passphrase' },
} as const;

/** Asks for the passphrase of a backup with secrets, twice. */
export function BackUpSecretsDialog() {
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [tried, setTried] = useState(false);
  const isSame = passphrase === again;
  const submit = useSubmit(() => {
    setTried(true);
    if (passphrase !== '' && isSame) {
      startBackup(passphrase);
      closeDialog();
    }
    return Promise.resolve();
  });
  return (
    <FormDialog title="Back up with secrets" action="Back up" submit={submit}>
      <Text size="sm">
        Device tokens and API keys are in the file, too, encrypted with a passphrase. It is kept nowhere:
        nobody can open them without it.
      </Text>
      <PasswordInput
        label="Passphrase"
        value={passphrase}
        onChange={({ currentTarget }) => setPassphrase(currentTarget.value)}
        error={tried && passphrase === '' ? 'Of 1 to 512 characters; several words are best.' : null}
        maxLength={512}
        data-autofocus
        {...FIELD}
      />
      <PasswordInput
        label="The same once more"
        value={again}
        onChange={({ currentTarget }) => setAgain(currentTarget.value)}
        error={tried && !isSame ? 'It is another one.' : null}
        maxLength={512}
        {...FIELD}
      />
    </FormDialog>
  );
}

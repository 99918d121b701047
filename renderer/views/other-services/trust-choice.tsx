import { Alert, Radio, Stack, Text, TextInput } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { OutputOf } from '#shared/operations/index.ts';
import type { ShownCertificate } from '#shared/operations/service/other-services.ts';
import { parseInstant } from '#shared/values/time.ts';
import { CertificateFile } from '../../components/dialog/certificate-file.tsx';
import { formatDay } from '../../time.ts';

export type Seen = OutputOf<'other-services.look'>;

/** Trust: a certificate by its fingerprint, or this machine's own roots. */
export const BY_MACHINE = 'machine';

interface TrustChoiceProps {
  readonly seen: Seen;
  /** A fingerprint, or BY_MACHINE; null: nothing is chosen yet. */
  readonly chosen: string | null;
  readonly onChoose: (chosen: string) => void;
  /** An authority that came by a file. */
  readonly fromFile: ShownCertificate | null;
  readonly onFile: (certificate: ShownCertificate) => void;
}

/** Certificates of the answering server, to be compared with what was told by another way, and trusted. */
export function TrustChoice({ seen, chosen, onChoose, fromFile, onFile }: TrustChoiceProps) {
  const [given, setGiven] = useState('');
  // An authority first: it outlives the certificates that it signs.
  const all = [...(fromFile ? [fromFile] : []), ...seen.chain].toSorted(
    (a, b) => Number(b.is_authority) - Number(a.is_authority),
  );
  const matching = all.find(({ fingerprint }) => hexIn(fingerprint) === hexIn(given));
  if (seen.is_plain)
    return (
      <Text size="sm">Plain HTTP, which never leaves this machine: there is no certificate to trust.</Text>
    );
  return (
    <Stack gap="sm">
      {seen.trusted ? (
        <Text size="sm">This machine trusts its certificate already, as that of any public site.</Text>
      ) : (
        <Alert color="yellow" variant="light" p="sm" icon={<IconShieldCheck size={18} />}>
          <Text size="sm">
            Nobody whom this machine trusts vouches for it. Compare a fingerprint with what the other machine
            says, by phone or on its screen, and choose that certificate. Nothing was sent yet.
          </Text>
        </Alert>
      )}
      <TextInput
        label="Fingerprint that you were told"
        description="SHA-256; the certificate that has it is chosen"
        placeholder="A1:B2:C3…"
        value={given}
        onChange={(event) => {
          const text = event.currentTarget.value;
          setGiven(text);
          const found = all.find(({ fingerprint }) => hexIn(fingerprint) === hexIn(text));
          if (found) onChoose(found.fingerprint);
        }}
        error={
          hexIn(given).length === FINGERPRINT_DIGITS && !matching
            ? 'None of these certificates has this fingerprint: it is another service, or between you and it is somebody.'
            : null
        }
        autoComplete="off"
        spellCheck={false}
        data-autofocus={seen.trusted ? undefined : true}
      />
      <Radio.Group label="Trust" value={chosen} onChange={onChoose}>
        <Stack gap={10} mt={6}>
          {seen.trusted && (
            <Radio value={BY_MACHINE} label="What this machine trusts" description="It may be renewed." />
          )}
          {all.map((certificate) => (
            <Radio
              key={certificate.fingerprint}
              value={certificate.fingerprint}
              label={
                certificate.is_authority
                  ? `Its authority: ${certificate.subject}`
                  : `This certificate alone: ${certificate.subject}`
              }
              description={<About certificate={certificate} />}
            />
          ))}
        </Stack>
      </Radio.Group>
      <CertificateFile onRead={onFile} />
    </Stack>
  );
}

function About({ certificate }: { readonly certificate: ShownCertificate }) {
  const { names, fingerprint, valid_until, is_authority } = certificate;
  const end = parseInstant(valid_until);
  return (
    <>
      <code style={{ overflowWrap: 'anywhere' }}>{fingerprint}</code>
      <br />
      {is_authority
        ? 'The server’s certificate may be renewed. '
        : `For ${names.join(', ') || 'no name'}. When it is renewed, it has to be trusted anew. `}
      {end !== null && `Until ${formatDay(end)}.`}
    </>
  );
}

const FINGERPRINT_DIGITS = 64;
const hexIn = (text: string) => text.replace(/[^0-9a-f]/gi, '').toLowerCase();

'use client'

import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { PasskeysView, RecoveryView } from '@/components/lib/api-types'
import { Card, Section } from '@/components/ui/card'
import { MakeRecoveryCodes } from './make-recovery-codes'
import { securityTexts } from './messages'
import { UseRecoveryCode } from './use-recovery-code'

interface RecoverySectionProps {
  readonly keys: PasskeysView
  readonly initial: RecoveryView
}

/** Lets the person create recovery codes against the loss of a passkey, and use one. */
export function RecoverySection({ keys, initial }: RecoverySectionProps) {
  const text = useText(securityTexts).recovery
  const trpc = useTRPC()
  const { data: recovery } = useQuery({ ...trpc.security.recovery.queryOptions(), initialData: initial })
  return (
    <Section id="recovery" title={text.title}>
      <ul className="grid max-w-prose list-disc gap-2 ps-5 text-muted">
        {text.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
      {keys.available && keys.passkeys.length > 0 ? (
        <Card>
          <MakeRecoveryCodes recovery={recovery} />
        </Card>
      ) : null}
      {keys.available && recovery !== null && recovery.left > 0 ? (
        <Card>
          <UseRecoveryCode count={keys.passkeys.length} />
        </Card>
      ) : null}
    </Section>
  )
}

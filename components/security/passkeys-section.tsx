'use client'

import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import type { PasskeysView } from '@/components/lib/api-types'
import { Card, RowList, Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Notice } from '@/components/ui/notice'
import { AddPasskey } from './add-passkey'
import { securityTexts } from './messages'
import { PasskeyRow } from './passkey-row'

/** Lists the person's passkeys, and lets them add another one. */
export function PasskeysSection({ view }: { readonly view: PasskeysView }) {
  const { passkeys: text, removal } = useText(securityTexts)
  const { passkeys, available } = view
  const [removed, setRemoved] = useState<string | null>(null)
  return (
    <Section id="passkeys" title={text.title} description={text.description}>
      <p role="status" className="font-medium text-success empty:hidden">
        {removed === null ? null : removal.done(removed)}
      </p>
      {passkeys.length > 0 ? <PasskeyList view={view} onRemoved={setRemoved} /> : null}
      {available && passkeys.length === 0 ? (
        <EmptyState icon={KeyRound} title={text.none.title}>
          {text.none.body}
        </EmptyState>
      ) : null}
      {available ? (
        <Card>
          <AddPasskey count={passkeys.length} />
        </Card>
      ) : (
        <Notice tone="info">{text.unavailable}</Notice>
      )}
    </Section>
  )
}

interface PasskeyListProps {
  readonly view: PasskeysView
  /** Called with the name of a removed passkey. */
  readonly onRemoved: (name: string) => void
}

function PasskeyList({ view, onRemoved }: PasskeyListProps) {
  const { passkeys: text, removal } = useText(securityTexts)
  const { passkeys } = view
  const isLast = passkeys.length === 1
  const reason = view.required ? removal.keepRequired : removal.keepOnly
  const kept = isLast && !view.last_removable ? reason : null
  return (
    <>
      <RowList aria-labelledby="passkeys">
        {passkeys.map((passkey) => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            last={isLast}
            kept={kept}
            onRemoved={() => onRemoved(passkey.name)}
          />
        ))}
      </RowList>
      {isLast && view.available ? <Notice tone="warning">{text.second}</Notice> : null}
    </>
  )
}

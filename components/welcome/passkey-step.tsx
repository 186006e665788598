'use client'

import { useText } from '@/components/i18n/locale-provider'
import { AddPasskey } from '@/components/security/add-passkey'
import { securityTexts } from '@/components/security/messages'
import { Card } from '@/components/ui/card'
import { Notice } from '@/components/ui/notice'

/** Adds the first passkey, where this installation's address allows one. */
export function PasskeyStep({ available }: { readonly available: boolean }) {
  const { passkeys: text } = useText(securityTexts)
  if (!available) return <Notice tone="info">{text.unavailable}</Notice>
  return (
    <Card>
      <AddPasskey count={0} />
    </Card>
  )
}

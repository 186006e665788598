'use client'

import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { PasskeysView, RecoveryView, SessionRecord } from '@/components/lib/api-types'
import { PageHeader } from '@/components/ui/page-header'
import { SectionLink } from '@/components/ui/text-link'
import { SECURITY_ACTIVITY_PATH } from './activity-path'
import { securityTexts } from './messages'
import { PasskeysSection } from './passkeys-section'
import { RecoverySection } from './recovery-section'
import { RequirePasskey } from './require-passkey'
import { SessionsSection } from './sessions-section'

interface SecurityViewProps {
  readonly passkeys: PasskeysView
  readonly sessions: readonly SessionRecord[]
  readonly recovery: RecoveryView
}

export function SecurityView({ passkeys, sessions, recovery }: SecurityViewProps) {
  const text = useText(securityTexts)
  const trpc = useTRPC()
  const { data: keys } = useQuery({ ...trpc.security.passkeys.queryOptions(), initialData: passkeys })
  const { data: open } = useQuery({ ...trpc.security.sessions.queryOptions(), initialData: sessions })
  return (
    <>
      <PageHeader
        title={text.title}
        description={text.description}
        action={<SectionLink href={SECURITY_ACTIVITY_PATH}>{text.activity}</SectionLink>}
      />
      <PasskeysSection view={keys} />
      {keys.available || keys.required ? <RequirePasskey view={keys} /> : null}
      <SessionsSection sessions={open} />
      <RecoverySection keys={keys} initial={recovery} />
    </>
  )
}

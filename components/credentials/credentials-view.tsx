'use client'

import { useQuery } from '@tanstack/react-query'
import { IdCard } from 'lucide-react'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { OwnCredential } from '@/components/lib/api-types'
import { ButtonLink } from '@/components/ui/button'
import { RowList, Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { AddCredential } from './add-credential'
import { CredentialRow } from './credential-row'
import { credentialsTexts } from './messages'

interface CredentialsViewProps {
  readonly initial: { readonly credentials: readonly OwnCredential[] }
}

/** Lists the person's credentials in wallet apps, and offers another one. */
export function CredentialsView({ initial }: CredentialsViewProps) {
  const { title, description, issued: text, add } = useText(credentialsTexts)
  const trpc = useTRPC()
  const [news, setNews] = useState('')
  const { data } = useQuery({ ...trpc.credentials.list.queryOptions(), initialData: initial })
  return (
    <>
      <PageHeader title={title} description={description} />
      <AddCredential />
      <Section id="issued" title={text.title} description={text.description}>
        <p role="status" className="font-medium text-success empty:hidden">
          {news}
        </p>
        {data.credentials.length === 0 ? (
          <EmptyState icon={IdCard} title={text.empty.title} action={<ButtonLink href="#add">{add.title}</ButtonLink>}>
            {text.empty.body}
          </EmptyState>
        ) : (
          <RowList aria-labelledby="issued">
            {data.credentials.map((credential) => (
              <CredentialRow key={credential.id} credential={credential} onNews={setNews} />
            ))}
          </RowList>
        )}
      </Section>
    </>
  )
}

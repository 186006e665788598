'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { OwnCredential } from '@/components/lib/api-types'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { RequestFailure } from '@/components/ui/request-failure'
import { credentialsTexts } from './messages'

interface RevokeCredentialProps {
  readonly credential: OwnCredential
  readonly onNews: (news: string) => void
}

/** Revokes a credential after saying what that means. */
export function RevokeCredential({ credential, onNews }: RevokeCredentialProps) {
  const { revoke: text, kinds } = useText(credentialsTexts)
  const format = useFormat()
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [asking, setAsking] = useState(false)
  const kind = kinds[credential.kind].name
  const revoke = useMutation(
    trpc.credentials.revoke.mutationOptions({
      onSuccess: () => onNews(text.done(kind)),
      onSettled: () => {
        setAsking(false)
        return queries.invalidateQueries()
      },
    }),
  )
  return (
    <div className="grid gap-3 max-sm:ps-8">
      <Button
        variant="quietDanger"
        size="sm"
        aria-label={text.name(kind, format.time(credential.issued_at, 'moment'))}
        onClick={() => setAsking(true)}
      >
        {text.button}
      </Button>
      {revoke.isError ? <RequestFailure error={revoke.error} /> : null}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={text.title(kind)}
        confirmLabel={text.confirm}
        destructive
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate({ id: credential.id })}
      >
        <p>{text.body}</p>
      </ConfirmDialog>
    </div>
  )
}

'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { plainName } from '@/components/lib/plain-text'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { RequestFailure } from '@/components/ui/request-failure'
import { securityActivityTexts } from './activity-messages'

interface RevokeShortcutProps {
  readonly clientId: string
  readonly label: string
}

/** Revokes the agent of a row after a confirmation. */
export function RevokeShortcut({ clientId, label }: RevokeShortcutProps) {
  const text = useText(securityActivityTexts).revoke
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [asking, setAsking] = useState(false)
  const revoke = useMutation(
    trpc.agents.revoke.mutationOptions({
      onSuccess: () => setAsking(false),
      onSettled: () => queries.invalidateQueries(),
    }),
  )
  const name = plainName(label)
  return (
    <>
      <Button variant="quietDanger" size="sm" aria-label={text.of(name)} onClick={() => setAsking(true)}>
        {text.button}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={text.title(name)}
        confirmLabel={text.confirm}
        destructive
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate({ client_id: clientId })}
      >
        <p>{text.body}</p>
        {revoke.isError ? <RequestFailure error={revoke.error} /> : null}
      </ConfirmDialog>
    </>
  )
}

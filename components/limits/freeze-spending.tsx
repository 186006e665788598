'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Snowflake } from 'lucide-react'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { LimitsView } from '@/components/lib/api-types'
import { useStepUp } from '@/components/security/use-step-up'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Moment } from '@/components/ui/moment'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import { limitsTexts } from './messages'
import { RaiseDialog } from './raise-dialog'

/** One press stops all spending without questions. */
export function Freeze() {
  const text = useText(limitsTexts).frozen
  const trpc = useTRPC()
  const queries = useQueryClient()
  const freeze = useMutation(trpc.limits.freeze.mutationOptions({ onSettled: () => queries.invalidateQueries() }))
  return (
    <Card className="grid gap-3">
      {freeze.isError ? <RequestFailure error={freeze.error} /> : null}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="min-w-60 flex-1 text-muted">{text.freezeHint}</p>
        <Button data-focus-next variant="secondary" busy={freeze.isPending} onClick={() => freeze.mutate()}>
          <Snowflake aria-hidden />
          {text.freeze}
        </Button>
      </div>
    </Card>
  )
}

interface FrozenProps {
  readonly limits: LimitsView['limits']
  readonly freeze: NonNullable<LimitsView['freeze']>
}

/** Says that spending is frozen; taking that back is confirmed. */
export function Frozen({ limits, freeze }: FrozenProps) {
  const text = useText(limitsTexts).frozen
  const trpc = useTRPC()
  const queries = useQueryClient()
  const stepUp = useStepUp()
  const [asking, setAsking] = useState(false)
  const restore = useMutation(
    trpc.limits.restore.mutationOptions({
      onSuccess: () => setAsking(false),
      onSettled: () => queries.invalidateQueries(),
    }),
  )
  const confirm = () => {
    const subject = { client_id: null, limits: freeze.before }
    stepUp.prove({ purpose: 'limits.raise', subject }).then(
      (proof) => restore.mutate({ proof }),
      () => undefined,
    )
  }
  const close = (open: boolean) => {
    setAsking(open)
    stepUp.reset()
    restore.reset()
  }
  return (
    <>
      <Notice
        tone="warning"
        role="status"
        title={text.title}
        action={
          <Button data-focus-next variant="secondary" onClick={() => close(true)}>
            {text.restore}
          </Button>
        }
      >
        {text.body} {text.since} <Moment at={freeze.since} />.
      </Notice>
      <RaiseDialog
        open={asking}
        onOpenChange={close}
        title={text.restoreTitle}
        body={text.restoreBody}
        before={limits}
        after={freeze.before}
        busy={stepUp.busy || restore.isPending}
        failure={restore.error === null ? stepUp.failure : { error: restore.error }}
        onConfirm={confirm}
      />
    </>
  )
}

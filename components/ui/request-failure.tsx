'use client'

import { layoutText } from '@/components/layout/messages'
import { readRequestError } from '@/components/lib/request-error'
import { Button } from './button'
import { CopyButton } from './copy-button'
import { Notice } from './notice'

interface RequestFailureProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

/** Says what a call to the server ended with, and under which id the operator finds it. */
export function RequestFailure({ error, onRetry }: RequestFailureProps) {
  const { message, requestId } = readRequestError(error)
  return (
    <Notice
      tone="danger"
      role="alert"
      title={layoutText.error.title}
      action={
        onRetry === undefined ? undefined : (
          <Button variant="secondary" size="sm" onClick={onRetry}>
            {layoutText.error.retry}
          </Button>
        )
      }
    >
      <p>{message}</p>
      {requestId === null ? null : <RequestId id={requestId} />}
    </Notice>
  )
}

interface RequestIdProps {
  readonly id: string
  readonly label?: string
}

export function RequestId({ id, label = layoutText.error.requestId }: RequestIdProps) {
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      <span>
        {label} <code className="break-all font-mono">{id}</code>
      </span>
      <CopyButton value={id} what={label} />
    </p>
  )
}

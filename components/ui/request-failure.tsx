'use client'

import { useLocale, useText } from '@/components/i18n/locale-provider'
import { readRequestError } from '@/components/lib/request-error'
import { Button } from './button'
import { CopyButton } from './copy-button'
import { failureTexts } from './failure-messages'
import { Notice } from './notice'

interface RequestFailureProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

/** Says what a call to the server ended with, and under which id the operator finds it. */
export function RequestFailure({ error, onRetry }: RequestFailureProps) {
  const text = useText(failureTexts)
  const { code, message, requestId } = readRequestError(error)
  const known = code === null ? undefined : text.refusals[code]
  // The service speaks English; who reads another language is told less, but in words of theirs.
  const said = useLocale() === 'de' ? null : message
  return (
    <Notice
      tone="danger"
      role="alert"
      title={text.title}
      action={
        onRetry === undefined ? undefined : (
          <Button variant="secondary" size="sm" onClick={onRetry}>
            {text.retry}
          </Button>
        )
      }
    >
      <p>{known ?? said ?? (code === null ? text.offline : text.unknown)}</p>
      {requestId === null ? null : <RequestId id={requestId} />}
    </Notice>
  )
}

interface RequestIdProps {
  readonly id: string
  readonly label?: string
}

export function RequestId({ id, label }: RequestIdProps) {
  const text = useText(failureTexts)
  const name = label ?? text.requestId
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      <span>
        {name} <code className="break-all font-mono">{id}</code>
      </span>
      <CopyButton value={id} what={name} />
    </p>
  )
}

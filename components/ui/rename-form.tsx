'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './button'
import { Field, Input } from './field'
import { Form } from './form'
import { RequestFailure } from './request-failure'

interface RenameFormProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly name: string
  readonly maxLength?: number
  /** Returns in words what is wrong with a name; undefined when nothing is. */
  readonly check: (name: string) => string | undefined
  /** The state of the change that `onSave` starts. */
  readonly change: { readonly isPending: boolean; readonly isError: boolean; readonly error: unknown }
  readonly onSave: (name: string) => void
  readonly onCancel: () => void
  readonly words: { readonly save: string; readonly cancel: string }
}

/** Edits a name in place; the field has the focus. */
export function RenameForm({ label, hint, name, maxLength, check, change, onSave, onCancel, words }: RenameFormProps) {
  const field = useRef<HTMLInputElement>(null)
  const [edited, setEdited] = useState(name)
  useEffect(() => field.current?.focus(), [])
  const wrong = check(edited)
  const submit = () => {
    if (wrong === undefined && !change.isPending) onSave(edited)
  }
  return (
    <Form onSubmit={submit} className="grid w-full gap-3">
      <Field label={label} hint={hint} error={wrong} className="sm:max-w-sm">
        <Input
          ref={field}
          autoComplete="off"
          maxLength={maxLength}
          value={edited}
          onChange={(event) => setEdited(event.target.value)}
        />
      </Field>
      {change.isError ? <RequestFailure error={change.error} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" busy={change.isPending}>
          {words.save}
        </Button>
        <Button variant="secondary" size="sm" onClick={onCancel}>
          {words.cancel}
        </Button>
      </div>
    </Form>
  )
}

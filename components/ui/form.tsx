'use client'

import type { ComponentProps, SyntheticEvent } from 'react'

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit' | 'noValidate'> {
  readonly onSubmit: () => void
}

/** A form that the page's script sends. The first invalid field gets the focus, so that it is in sight and read out. */
export function Form({ onSubmit, ...props }: FormProps) {
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    onSubmit()
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  return <form {...props} noValidate onSubmit={submit} />
}

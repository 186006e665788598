import { cva } from 'class-variance-authority'

/** The variants of a button, for buttons and for links that look like one. */
export const buttonVariants = cva(
  'relative inline-flex select-none items-center justify-center gap-2 rounded-control border text-center font-medium wrap-break-word no-underline transition-colors disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60 [&_svg]:size-[1.125em] [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-strong',
        secondary: 'border-control bg-surface text-ink hover:bg-sunken',
        secondaryDanger: 'border-control bg-surface text-danger hover:bg-sunken',
        danger: 'border-transparent bg-danger text-on-danger hover:bg-danger-strong',
        quiet: 'border-transparent text-accent hover:bg-accent-soft',
        quietDanger: 'border-transparent text-danger hover:bg-danger-soft',
      },
      size: {
        md: 'min-h-11 px-4 py-2 text-base',
        sm: 'min-h-11 px-3 py-2 text-sm',
        lg: 'min-h-14 px-5 py-2 text-lg',
        /** Two lines fit. */
        bar: 'min-h-12 px-2 py-1 text-base/5',
        icon: 'size-11 p-0',
      },
      full: { true: 'w-full', false: '' },
    },
    defaultVariants: { variant: 'primary', size: 'md', full: false },
  },
)

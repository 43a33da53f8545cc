export const en = {
  title: 'Your profile',
  person: 'You',
  name: 'Name',
  email: 'Email',
  centers: 'Centers',
} as const

"""The same figures on other machines: linear algebra libraries, kernels and threads."""

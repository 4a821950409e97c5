"""What may be installed beside the base set; asking imports nothing."""

from importlib.util import find_spec


def recognises() -> bool:
    """Whether text recognition is here: the extra `ocr`, which `make run WITH_OCR=1` installs."""
    return find_spec("rapidocr") is not None

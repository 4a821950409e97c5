"""Pictures: opened and measured in the child, before anything reads their text."""

import warnings
from pathlib import Path
from typing import NoReturn

from PIL import Image, ImageOps

from ingestion.errors import Corrupt, NeedsOcr, TooBig

# A3 at 600 dots an inch is 70 million pixels, which take 210 MB as colours.
MAX_PIXELS = 80_000_000
MAX_SIDE = 20_000
FORMATS = ("PNG", "JPEG")


def read_image(path: Path) -> NoReturn:
    """A picture has no text of its own. Raises NeedsOcr, or what `open_image` raises."""
    width, height = open_image(path).size
    raise NeedsOcr("This file is a picture: its text can only be searched after text recognition (OCR).",
                   detail=f"{width} x {height} pixels")  # fmt: skip


def open_image(path: Path) -> Image.Image:
    """The picture the right way up, in colours. Raises TooBig before it is unpacked, or Corrupt."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # our own limit is lower
        try:
            with Image.open(path, formats=FORMATS) as image:
                width, height = image.size
                if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
                    raise TooBig(
                        f"This picture has {width:,} x {height:,} pixels; at most {MAX_SIDE:,} a side and "
                        f"{MAX_PIXELS // 1_000_000} million in all can be read."
                    )
                return ImageOps.exif_transpose(image).convert("RGB")
        except Image.DecompressionBombError as error:
            raise TooBig(detail=str(error)) from error
        except (OSError, SyntaxError, ValueError) as error:  # Pillow's words for damage
            raise Corrupt(detail=repr(error)) from error
